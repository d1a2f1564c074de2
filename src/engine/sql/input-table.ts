import type { DuckDBAppender, DuckDBConnection, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Batch, Column, ColumnType, Row } from '../../drivers/driver.ts';
import { quoteName } from '../../drivers/duckdb/identifier.ts';
import type { CastType } from '../../language/task/cast/cast-type.ts';
import { inferColumn, widen } from '../ops/column-types.ts';
import type { loadDuckDb } from './duckdb.ts';
import { InputColumn, type Kept } from './input-column.ts';

/** Rows of one chunk of the engine. */
const CHUNK_ROWS_MAX = 2_048;

/** Does the work when the connection is free. */
type InTurn = (work: () => Promise<void>) => Promise<void>;

/** Types that say which type of the engine they become: that of a column of the others follows from its values. */
const SAYS_ALL: ReadonlySet<ColumnType> = new Set([
  'string',
  'integer',
  'number',
  'boolean',
  'json',
  'binary',
  'date',
  'timestamp',
]);

export interface InputTableOptions {
  readonly name: string;
  /** Types that are given. */
  readonly columns: Readonly<Record<string, CastType>>;
  /** The names, in lower case, of columns whose values are wanted; the others are null. null, the default: all. */
  readonly read?: ReadonlySet<string> | null;
}

type DuckDb = Awaited<ReturnType<typeof loadDuckDb>>;

/**
 * A table that is made of batches. It grows the columns that come: one whose type changes, or whose values do not fit, is kept as text
 * from then on, and all are of their final types when `finish` has ended. Tables of one connection take turns: a statement of one ends
 * what another has not yet heard of its own.
 */
export class InputTable {
  readonly #duckdb: DuckDb;
  readonly #connection: DuckDBConnection;
  readonly #inTurn: InTurn;
  readonly #name: string;
  readonly #given: Readonly<Record<string, CastType>>;
  readonly #columns = new Map<string, InputColumn>();
  readonly #read: ReadonlySet<string> | null;
  /** Columns of which no value is kept, and their types. */
  readonly #unread = new Map<string, ColumnType>();
  /** The columns that came last: most batches have the same. */
  #seen: readonly Column[] | null = null;
  #appender: DuckDBAppender | null = null;

  constructor(
    duckdb: DuckDb,
    connection: DuckDBConnection,
    inTurn: InTurn,
    { name, columns, read = null }: InputTableOptions,
  ) {
    this.#duckdb = duckdb;
    this.#connection = connection;
    this.#inTurn = inTurn;
    this.#name = name;
    this.#given = columns;
    this.#read = read;
  }

  append(batch: Batch): Promise<void> {
    return this.#inTurn(() => this.#append(batch));
  }

  /** Gives every column its final type. Throws a `RangeError` that names the column for a value that does not fit it. */
  finish(): Promise<void> {
    return this.#inTurn(() => this.#finish());
  }

  /** The type of a column, null where none has come. */
  typeOf(name: string): ColumnType | null {
    return this.#columns.get(name)?.type ?? this.#unread.get(name) ?? null;
  }

  /** The type of a column in the engine, once `finish` has ended; null where none has come. */
  sqlTypeOf(name: string): string | null {
    return this.#columns.get(name)?.final ?? null;
  }

  async #append({ columns, rows }: Batch): Promise<void> {
    if (columns !== this.#seen || columns.some(({ type }) => type === 'unknown'))
      await this.#meet(columns, rows);
    this.#seen = columns;
    for (let at = 0; at < rows.length; at += CHUNK_ROWS_MAX)
      await this.#add(rows.slice(at, at + CHUNK_ROWS_MAX));
  }

  async #finish(): Promise<void> {
    await this.#meet(
      Object.entries(this.#given).map(([name, type]) => ({ name, type, nullable: true })),
      [],
    );
    this.#endAppender();
    if (this.#columns.size === 0)
      throw new RangeError(
        `The table "${this.#name}" has no rows and its source does not report its columns: list them as "${this.#name}: {step, columns}"`,
      );
    for (const [name, type] of this.#unread) await this.#addUnread(name, type);
    for (const column of this.#columns.values()) {
      const { final } = column;
      if (final !== column.kept) await this.#cast(column, final);
    }
  }

  /** The engine speaks of a statement that nobody wrote: its error is told of the column. */
  async #cast({ name, type }: InputColumn, final: string): Promise<void> {
    try {
      // The first column is kept whether the query reads it or not.
      await this.#alter(name, final, `${this.#isWanted(name) ? 'CAST' : 'TRY_CAST'}($ AS ${final})`);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : '';
      const reason = /^Conversion Error: (.*)/.exec(message)?.[1];
      if (reason === undefined) throw cause;
      throw new RangeError(
        `The column "${name}" of the table "${this.#name}" has a value that does not fit the type ${type}: ${reason}`,
        { cause },
      );
    }
  }

  async #meet(columns: readonly Column[], rows: readonly Row[]): Promise<void> {
    for (const { name, type } of columns) {
      const met = type === 'unknown' ? inferColumn(rows, name, 'unknown') : type;
      const known = this.#columns.get(name);
      if (known === undefined && this.#leavesOut(name, met)) continue;
      if (known === undefined)
        await this.#create(name, this.#givenType(name) ?? met, this.#givenType(name) !== null);
      else await this.#keep(known, () => known.meet(met));
    }
  }

  /** Whether the values of a column are not kept; never of the first one, which has a place for each row. */
  #leavesOut(name: string, met: ColumnType): boolean {
    if (this.#read === null || this.#columns.size === 0) return false;
    const before = this.#unread.get(name);
    if (before === undefined && (this.#isWanted(name) || !SAYS_ALL.has(met))) return false;
    this.#unread.set(name, before === undefined ? met : widen(before, met));
    return true;
  }

  /** Every object has a value under some names, such as "constructor". */
  #givenType(name: string): CastType | null {
    return Object.hasOwn(this.#given, name) ? (this.#given[name] ?? null) : null;
  }

  #isWanted(name: string): boolean {
    return this.#read === null || this.#read.has(name.toLowerCase()) || this.#givenType(name) !== null;
  }

  /** So that the query finds the name, and says what it is near to where it has another one. */
  async #addUnread(name: string, type: ColumnType): Promise<void> {
    const { final } = new InputColumn(name, type, false, (bytes) => this.#duckdb.blobValue(bytes));
    await this.#connection.run(`ALTER TABLE ${quoteName(this.#name)} ADD COLUMN ${quoteName(name)} ${final}`);
  }

  async #create(name: string, type: ColumnType, isGiven: boolean): Promise<void> {
    const column = new InputColumn(name, type, isGiven, (bytes) => this.#duckdb.blobValue(bytes));
    const place = `${quoteName(name)} ${column.kept}`;
    const table = quoteName(this.#name);
    this.#endAppender();
    await this.#connection.run(
      this.#columns.size === 0
        ? `CREATE TABLE ${table} (${place})`
        : `ALTER TABLE ${table} ADD COLUMN ${place}`,
    );
    this.#columns.set(name, column);
  }

  /** Does what may change how a column is kept, and changes what is kept of it. */
  async #keep(column: InputColumn, change: () => unknown): Promise<void> {
    const before = column.kept;
    const type = column.type;
    change();
    if (column.kept === before && (column.type !== 'json' || type === 'json')) return;
    this.#endAppender();
    await this.#alter(column.name, column.kept, column.changed(before));
  }

  async #alter(name: string, kept: Kept | string, using: string): Promise<void> {
    const column = quoteName(name);
    await this.#connection.run(
      `ALTER TABLE ${quoteName(this.#name)} ALTER COLUMN ${column} SET DATA TYPE ${kept} USING ${using.replace('$', () => column)}`,
    );
  }

  async #add(rows: readonly Row[]): Promise<void> {
    const values: DuckDBValue[][] = [];
    for (const column of this.#columns.values()) {
      let own: DuckDBValue[] | null = null;
      while (own === null) await this.#keep(column, () => (own = column.values(rows)));
      values.push(own);
    }
    this.#appender ??= await this.#connection.createAppender(this.#name);
    const types = [...this.#columns.values()].map(({ kept }) => this.#typeOf(kept));
    const chunk = this.#duckdb.DuckDBDataChunk.create(types, rows.length);
    for (const [index, own] of values.entries()) chunk.setColumnValues(index, own);
    this.#appender.appendDataChunk(chunk);
  }

  #typeOf(kept: Kept): DuckDBType {
    const { BIGINT, DOUBLE, BOOLEAN, BLOB, VARCHAR } = this.#duckdb;
    return { BIGINT, DOUBLE, BOOLEAN, BLOB, VARCHAR }[kept];
  }

  #endAppender(): void {
    this.#appender?.closeSync();
    this.#appender = null;
  }
}
