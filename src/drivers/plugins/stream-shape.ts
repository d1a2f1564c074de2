import { type Column, type ColumnType, ConnectorError, type Row } from '../driver.ts';
import type { RecordShape } from '../json/record-batches.ts';
import { RowShape } from '../json/row-shape.ts';

/** The types of values, as `RowShape` sees them, that a column of a declared type may hold. */
const FITTING: Readonly<Record<ColumnType, readonly ColumnType[]>> = {
  string: ['string'],
  // Beyond 2^53 both come as text.
  integer: ['integer', 'string'],
  number: ['number', 'integer'],
  decimal: ['string', 'number', 'integer'],
  boolean: ['boolean'],
  date: ['string'],
  time: ['string'],
  timestamp: ['string'],
  json: ['json', 'string', 'number', 'integer', 'boolean'],
  binary: ['string'],
  unknown: [],
};

/** The columns of a stream: those that its source declares, with their types while the values fit, and those that come all the same. */
export class StreamShape implements RecordShape {
  readonly #shape: RowShape;
  readonly #declared: ReadonlyMap<string, Column>;

  /** `wanted`: the columns to give; null for all. Throws `CONFIG` for one that the source does not declare. */
  constructor(stream: string, declared: readonly Column[], wanted: readonly string[] | null) {
    this.#declared = new Map(declared.map((column) => [column.name, column]));
    const absent = wanted?.find((name) => declared.length > 0 && !this.#declared.has(name));
    if (absent !== undefined)
      throw new ConnectorError('CONFIG', `The stream "${stream}" has no column "${absent}"`);
    this.#shape = new RowShape(stream, wanted);
    if (wanted === null) this.#shape.admit(Object.fromEntries(declared.map(({ name }) => [name, null])));
  }

  columns(): Column[] {
    return this.#shape.columns().map((seen) => {
      const declared = this.#declared.get(seen.name);
      if (declared === undefined) return seen;
      const fits = seen.type === 'unknown' || FITTING[declared.type].includes(seen.type);
      return fits ? declared : { ...declared, type: seen.type };
    });
  }

  row(record: Row): Row {
    return this.#shape.row(record);
  }

  fits(record: Row): boolean {
    return this.#shape.fits(record);
  }

  admit(record: Row): void {
    this.#shape.admit(record);
  }
}
