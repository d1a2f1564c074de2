import type { StatementSync } from 'node:sqlite';
import type { Batch, Column, ColumnType, Row } from '../driver.ts';
import { resultNames } from '../sql/result-names.ts';
import { valueType } from '../sql/row-batch.ts';
import { fromCell } from './cell.ts';
import { typeOfDeclared } from './column-type.ts';
import { commonColumns, type SqliteTable } from './introspect.ts';

/**
 * Turns rows of the engine into batches. A column has the type that is declared, but bytes are bytes wherever they are, and a column of
 * bytes that holds something else has the type of that: where it changes, a new batch begins.
 */
export class TypedRows {
  readonly #columns: readonly Column[];
  readonly #names: readonly string[];
  readonly #types: ColumnType[];
  /** Places of columns that are declared to hold bytes. */
  readonly #binary: readonly number[];

  /** `first`: the first rows, which tell the type of a column without a declared one. */
  constructor(columns: readonly Column[], first: readonly unknown[][]) {
    this.#columns = columns;
    this.#names = columns.map(({ name }) => name);
    this.#types = columns.map(({ type }, i) => {
      if (type !== 'unknown' && type !== 'binary') return type;
      return typeOf(first.find((row) => row[i] !== null)?.[i]) ?? type;
    });
    this.#binary = columns.flatMap(({ type }, i) => (type === 'binary' ? [i] : []));
  }

  /** At least one batch, which may be empty. */
  *batches(found: readonly unknown[][]): Generator<Batch> {
    let rows: Row[] = [];
    let shape = this.#shape();
    for (const values of found) {
      if (!this.#fits(values)) {
        if (rows.length > 0) yield { columns: shape, rows };
        rows = [];
        this.#adapt(values);
        shape = this.#shape();
      }
      rows.push(this.#row(values));
    }
    if (rows.length > 0 || found.length === 0) yield { columns: shape, rows };
  }

  #row(values: readonly unknown[]): Row {
    const [names, types] = [this.#names, this.#types];
    const row: Row = {};
    for (let i = 0; i < names.length; i += 1)
      row[names[i] as string] = fromCell(values[i], types[i] as ColumnType);
    return row;
  }

  #fits(values: readonly unknown[]): boolean {
    const types = this.#types;
    for (let i = 0; i < types.length; i += 1) {
      const value = values[i];
      if (value !== null && value instanceof Uint8Array !== (types[i] === 'binary')) return false;
    }
    return this.#binary.every((i) => values[i] === null || typeOf(values[i]) === types[i]);
  }

  #adapt(values: readonly unknown[]): void {
    for (const [i, { type }] of this.#columns.entries()) {
      const own = typeOf(values[i]);
      if (own === null) continue;
      const tells =
        own === 'binary' || type === 'binary' || (type === 'unknown' && this.#types[i] === 'binary');
      if (tells) this.#types[i] = own;
      else if (this.#types[i] === 'binary') this.#types[i] = type;
    }
  }

  #shape(): readonly Column[] {
    return this.#columns.map((column, i) => ({ ...column, type: this.#types[i] as ColumnType }));
  }
}

/** The engine gives integers as bigints, so that a number is one with a fraction whatever it looks like. Null for null. */
function typeOf(value: unknown): ColumnType | null {
  return typeof value === 'number' ? 'number' : valueType(value);
}

/**
 * Columns of a result. Of a list of a `table` they are its own, with what it declares of them; the key only where all of it is there.
 */
export function resultColumns(statement: StatementSync, table: SqliteTable | null): readonly Column[] {
  const found = statement.columns();
  const names = resultNames(found.map((column) => column.name));
  const own = new Map((table === null ? [] : commonColumns(table)).map((column) => [column.name, column]));
  const hasKey = [...own.values()].every(({ name, key }) => key !== true || names.includes(name));
  return found.map(({ type: declared, column }, i) => {
    const known = own.get(column ?? '');
    const words = declared ?? '';
    return {
      name: names[i] as string,
      type: typeOfDeclared(declared),
      nullable: known?.nullable ?? true,
      ...(words !== '' && { native_type: words }),
      ...((known !== undefined || words !== '') && { declared: { engine: 'sqlite', sql: words } }),
      ...(hasKey && known?.key === true && { key: true }),
    };
  });
}
