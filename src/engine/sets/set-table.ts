import { deserialize, serialize } from 'node:v8';
import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Batch, Column, ColumnType, Row } from '../../drivers/driver.ts';
import { widen } from '../ops/column-types.ts';
import { RunFault } from '../run-fault.ts';
import { InputTable } from '../sql/input-table.ts';
import type { SqlInstance } from '../sql/sql-instance.ts';
import { OrderedValues } from './ordered-values.ts';

export interface SetTableOptions {
  /** The operation that it is made for, as its messages call it. */
  readonly op: string;
  readonly stepId: string;
  readonly name: string;
  /** The columns that the operation looks at; null for all that come. */
  readonly columns: readonly string[] | null;
  /** Columns of which the greatest or least values are asked for. */
  readonly ordered?: readonly string[];
  /** Whole rows are asked for later. */
  readonly keepsRows: boolean;
}

/**
 * Rows in the engine: `n`, their number; `c0`, `c1` and so on, the columns that an operation looks at, in types of SQL; and, where they
 * are asked for again, the rows themselves (`s`, `row`), which come back as they were.
 */
export class SetTable {
  readonly connection: DuckDBConnection;
  readonly name: string;
  rows = 0;
  readonly #options: SetTableOptions;
  readonly #table: InputTable;
  readonly #places = new Map<string, number>();
  readonly #shapes: (readonly Column[])[] = [];
  readonly #ordered: ReadonlyMap<string, OrderedValues>;
  #known: { readonly source: readonly Column[]; readonly columns: readonly Column[] } | null = null;

  private constructor(engine: SqlInstance, connection: DuckDBConnection, options: SetTableOptions) {
    this.connection = connection;
    this.name = options.name;
    this.#options = options;
    const input = { name: options.name, columns: {} };
    this.#table = new InputTable(engine.duckdb, connection, (work) => work(), input);
    for (const column of options.columns ?? []) this.#place(column);
    this.#ordered = new Map((options.ordered ?? []).map((column) => [column, new OrderedValues(column)]));
  }

  static async open(engine: SqlInstance, options: SetTableOptions): Promise<SetTable> {
    return new SetTable(engine, await engine.connect(), options);
  }

  async add({ columns, rows }: Batch): Promise<void> {
    const { keepsRows } = this.#options;
    if (this.#known?.source !== columns) {
      if (this.#options.columns === null) for (const { name } of columns) this.#place(name);
      this.#shapes.push(columns);
      this.#known = { source: columns, columns: this.#columnsOf(columns) };
    }
    const shape = this.#shapes.length - 1;
    for (const column of columns) {
      const values = this.#ordered.get(column.name);
      if (values !== undefined) for (const row of rows) values.meet(column, row[column.name]);
    }
    const places = [...this.#places].map(([name, at]) => ({ name, key: `c${at}` }));
    const made = rows.map((row) => {
      const out: Row = { n: this.rows++ };
      for (const { name, key } of places) out[key] = row[name] ?? null;
      if (!keepsRows) return out;
      out['s'] = shape;
      out['row'] = serialize(columns.map(({ name }) => row[name]));
      return out;
    });
    await this.#named(this.#table.append({ columns: this.#known.columns, rows: made }));
  }

  /** Nothing has come, not even columns. */
  get isBare(): boolean {
    return this.#shapes.length === 0;
  }

  /** Ends the table. Throws a `RunFault` where a column that the operation looks at has never come. */
  async finish(): Promise<void> {
    if (this.isBare) return;
    const all = this.columns.map(({ name }) => name);
    const missing = [...this.#places.keys()].find((name) => !all.includes(name));
    if (missing !== undefined)
      throw this.#fault(`there is no column "${missing}"; there are ${all.join(', ')}`);
    await this.#named(this.#table.finish());
    for (const [column, values] of this.#ordered) {
      const problem = values.problem(this.typeOf(column));
      if (problem !== null) throw this.#fault(problem);
    }
  }

  /** What does not fit a column is said of that column, and not of its place here. */
  async #named(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const names = [...this.#places.keys()];
      const message = error.message
        .replace(` of the table "${this.name}"`, '')
        .replace(/column "c(\d+)"/, (whole, at) =>
          names[Number(at)] === undefined ? whole : `column "${names[Number(at)]}"`,
        );
      throw new RangeError(`${this.#options.op}: ${message}`, { cause: error });
    }
  }

  #fault(problem: string): RunFault {
    const { op, stepId } = this.#options;
    return new RunFault('VALIDATION_ERROR', `${op}: ${problem}`, { reason: 'config_error', stepId });
  }

  /** The columns of all rows, each of the narrowest type that holds what came. */
  get columns(): readonly Column[] {
    const found = new Map<string, Column>();
    for (const column of this.#shapes.flat()) {
      const { type = 'unknown' } = found.get(column.name) ?? {};
      const both = widen(type, column.type);
      found.set(column.name, { ...(found.get(column.name) ?? column), type: both });
    }
    return [...found.values()];
  }

  /** Of a column that the operation looks at, as SQL. */
  sqlOf(column: string): string {
    return `c${this.#places.get(column)}`;
  }

  get sqlColumns(): readonly string[] {
    return [...this.#places.values()].map((at) => `c${at}`);
  }

  /** The type that the values of such a column were found to have. */
  typeOf(column: string): ColumnType {
    return this.#table.typeOf(this.sqlOf(column)) ?? 'unknown';
  }

  /** The type of such a column in the engine, such as `DECIMAL(18, 2)`. */
  sqlTypeOf(column: string): string {
    return this.#table.sqlTypeOf(this.sqlOf(column)) ?? 'VARCHAR';
  }

  /** A row as it came, out of `s` and `row`. */
  rowOf(shape: DuckDBValue, packed: DuckDBValue): Row {
    const columns = this.#shapes[Number(shape)] ?? [];
    const values = deserialize((packed as unknown as { bytes: Uint8Array }).bytes) as readonly unknown[];
    return Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]));
  }

  #place(column: string): void {
    if (!this.#places.has(column)) this.#places.set(column, this.#places.size);
  }

  #columnsOf(source: readonly Column[]): readonly Column[] {
    const types = new Map(source.map(({ name, type }) => [name, type]));
    const column = (name: string, type: ColumnType): Column => ({ name, type, nullable: true });
    const looked = [...this.#places].map(([name, at]) => column(`c${at}`, types.get(name) ?? 'unknown'));
    const kept = this.#options.keepsRows ? [column('s', 'integer'), column('row', 'binary')] : [];
    return [column('n', 'integer'), ...looked, ...kept];
  }
}
