import type { Column, Row } from '../../driver.ts';
import type { RecordShape } from '../../json/record-batches.ts';
import { RowShape } from '../../json/row-shape.ts';

type Read = (value: unknown) => unknown;

/** What of JSON is not yet what a column of the type holds. */
const READS: Readonly<Record<string, Read>> = {
  binary: (value) => (typeof value === 'string' ? Buffer.from(value, 'base64url') : value),
  decimal: (value) => (typeof value === 'number' ? String(value) : value),
  integer: (value) => {
    const number = typeof value === 'string' ? Number(value) : value;
    return Number.isSafeInteger(number) ? number : value;
  },
  number: (value) =>
    value === 'INF' ? Infinity : value === '-INF' ? -Infinity : value === 'NaN' ? Number.NaN : value,
};
const asItIs: Read = (value) => value;

export interface EntityShapeOptions {
  readonly name: string;
  /** The declared properties; empty where the service declares none of the answer. */
  readonly declared: readonly Column[];
  /** Names to give, in this order; null for all. */
  readonly wanted: readonly string[] | null;
  /** Related records come besides those names. */
  readonly expands: boolean;
  /** Keep what the service says beside the values. */
  readonly annotations: boolean;
}

/**
 * Records of a service as rows: declared properties with their declared types, though no record of a page may have a value, and what
 * else comes (expanded records, undeclared properties, annotations) as its values are.
 */
export class EntityShape implements RecordShape {
  readonly #columns: readonly Column[];
  readonly #reads: readonly (readonly [name: string, read: Read])[];
  readonly #known: ReadonlySet<string>;
  readonly #declared: ReadonlySet<string>;
  /** Names besides the declared ones; null for all. */
  readonly #undeclared: ReadonlySet<string> | null;
  readonly #annotations: boolean;
  readonly #others: RowShape;

  constructor({ name, declared, wanted, expands, annotations }: EntityShapeOptions) {
    const byName = new Map(declared.map((column) => [column.name, column]));
    const columns = wanted === null ? declared : wanted.flatMap((one) => byName.get(one) ?? []);
    this.#columns = columns;
    this.#reads = columns.map((column) => [column.name, READS[column.type] ?? asItIs]);
    this.#known = new Set(columns.map((column) => column.name));
    this.#declared = new Set(byName.keys());
    this.#undeclared = wanted === null || expands ? null : new Set(wanted);
    this.#annotations = annotations;
    this.#others = new RowShape(name, null);
  }

  columns(): Column[] {
    return [...this.#columns, ...this.#others.columns()];
  }

  row(record: Row): Row {
    const row: Row = {};
    for (const [name, read] of this.#reads) {
      const value = record[name];
      row[name] = value === undefined || value === null ? null : read(value);
    }
    return Object.assign(row, this.#others.row(this.#rest(record)));
  }

  fits(record: Row): boolean {
    return this.#others.fits(this.#rest(record));
  }

  admit(record: Row): void {
    this.#others.admit(this.#rest(record));
  }

  /** What is not declared. */
  #rest(record: Row): Row {
    const rest: Row = {};
    for (const name in record) {
      if (this.#known.has(name)) continue;
      if (name.includes('@') ? this.#annotations : this.#isOther(name)) rest[name] = record[name];
    }
    return rest;
  }

  #isOther(name: string): boolean {
    return !this.#declared.has(name) && (this.#undeclared === null || this.#undeclared.has(name));
  }
}
