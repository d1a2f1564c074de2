import { type Column, type ColumnType, ConnectorError, type Row } from '../driver.ts';
import type { RecordShape } from '../json/record-batches.ts';
import { RowShape } from '../json/row-shape.ts';

/** The types of values, as `RowShape` sees them, that a column of a declared type may hold. */
const FITTING: Readonly<Record<ColumnType, readonly ColumnType[]>> = {
  string: ['string'],
  integer: ['integer', 'string'],
  number: ['number', 'integer'],
  decimal: ['decimal', 'string', 'number', 'integer'],
  boolean: ['boolean'],
  date: ['string'],
  time: ['string'],
  timestamp: ['string'],
  json: ['json', 'string', 'number', 'integer', 'decimal', 'boolean'],
  binary: ['string'],
  unknown: [],
};

/**
 * The columns of a stream: those that its source declares, with their types while the values fit, and those that come all the same. A
 * source may declare them anew between its records.
 */
export class StreamShape implements RecordShape {
  readonly #stream: string;
  readonly #wanted: readonly string[] | null;
  #shape: RowShape;
  #declared: ReadonlyMap<string, Column>;
  /** What holds from the next record on. */
  #next: readonly Column[] | null = null;

  /** `wanted`: the columns to give; null for all. Throws `CONFIG` for one that the source does not declare. */
  constructor(stream: string, declared: readonly Column[], wanted: readonly string[] | null) {
    this.#stream = stream;
    this.#wanted = wanted;
    this.#declared = new Map(declared.map((column) => [column.name, column]));
    this.#requireWanted();
    this.#shape = this.#shapeOf(this.#declared.keys());
  }

  /** The columns of the records from now on; those that it does not name stay. */
  declare(columns: readonly Column[]): void {
    this.#next = columns;
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
    return this.#next === null && this.#shape.fits(record);
  }

  admit(record: Row): void {
    if (this.#next !== null) this.#follow(this.#next);
    this.#shape.admit(record);
  }

  #follow(columns: readonly Column[]): void {
    this.#next = null;
    const before = this.#shape.columns().map(({ name }) => name);
    this.#declared = new Map([
      ...this.#declared,
      ...columns.map((column): [string, Column] => [column.name, column]),
    ]);
    this.#requireWanted();
    this.#shape = this.#shapeOf([...before, ...this.#declared.keys()]);
  }

  #shapeOf(names: Iterable<string>): RowShape {
    const shape = new RowShape(this.#stream, this.#wanted);
    if (this.#wanted === null) shape.admit(Object.fromEntries([...names].map((name) => [name, null])));
    return shape;
  }

  #requireWanted(): void {
    if (this.#declared.size === 0) return;
    const absent = this.#wanted?.find((name) => !this.#declared.has(name));
    if (absent !== undefined)
      throw new ConnectorError('CONFIG', `The stream "${this.#stream}" has no column "${absent}"`);
  }
}
