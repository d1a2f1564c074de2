import type { DuckDBConnection } from '@duckdb/node-api';
import type { EngineFileSql } from '../../drivers/duckdb/engine-file-sql.ts';
import { quoteName } from '../../drivers/duckdb/identifier.ts';
import { ParquetTableSql } from '../../drivers/duckdb/parquet-table-sql.ts';
import { readPlain } from '../../drivers/duckdb/read-plain.ts';
import { fitsEngine, TextFileSql } from '../../drivers/duckdb/text-file-sql.ts';
import type { EngineFile } from '../../drivers/engine-file.ts';

/** As many rows as the engine keeps together come of one, so that it need not join them again. */
const BUFFER_BYTES = 16 * 1024 * 1024;

export interface FileTableOptions {
  readonly name: string;
  /** Its place among the files of the query. */
  readonly index: number;
  readonly file: EngineFile;
  /** The names, in lower case, among which are all columns that the query reads; null: any. */
  readonly read: ReadonlySet<string> | null;
}

/**
 * A table that the engine makes of a file by itself, in place of rows that pass through JavaScript: of the columns that the query
 * reads, each value as the driver's own reader gives it, or none. First `expect`, so that the query can be planned, then
 * `fill`.
 */
export class FileTable {
  readonly file: EngineFile;
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #kept: string;
  readonly #sql: EngineFileSql;
  /** The names, in lower case, among which are all columns that the query reads; null: any. */
  readonly #read: ReadonlySet<string> | null;

  constructor(connection: DuckDBConnection, { name, index, file, read }: FileTableOptions) {
    this.#connection = connection;
    this.#name = name;
    this.#read = read;
    const prefix = `headgate_file${index}_`;
    this.#kept = quoteName(prefix);
    this.#sql =
      file.format === 'csv' ? new TextFileSql(file, prefix, BUFFER_BYTES) : new ParquetTableSql(file, prefix);
    this.file = file;
  }

  /** Makes the table as a view of the file. False where the engine cannot open the file or sees other types in it: there is no table then. */
  async expect(): Promise<boolean> {
    const source = this.#sql.source();
    const columns = this.file.columns.map(({ name }, at) => `${this.#sql.checked(at)} AS ${quoteName(name)}`);
    try {
      const found = await this.#connection.runAndReadAll(
        `SELECT column_type FROM (DESCRIBE SELECT * FROM ${source})`,
      );
      if (!found.getRows().every(([type], at) => this.#sql.readsAs(at, String(type)))) return false;
      await this.#connection.run(
        `CREATE VIEW ${quoteName(this.#name)} AS SELECT ${columns.join(', ')} FROM ${source}`,
      );
      return true;
    } catch (error) {
      if (isInterrupted(error)) throw error;
      return false;
    }
  }

  /**
   * Reads the file. `plan` is that of the query, which names the columns that it needs. Gives the rows, or null where the file is not
   * as plain as it looked: then nothing of it is left.
   */
  async fill(plan: string): Promise<number | null> {
    const { columns } = this.file;
    const named = columns.flatMap((_, at) => (this.#isRead(at, plan) ? [at] : []));
    const needed = named.length > 0 ? named : [this.#anyColumn()];
    const kept = this.#kept;
    let rows: number;
    try {
      const list = needed.map((at) => `${this.#sql.checked(at)} AS ${this.#sql.raw(at)}`).join(', ');
      const connection = this.#connection;
      const made = await readPlain(
        this.file,
        () => connection.interrupt(),
        () => connection.runAndReadAll(`CREATE TABLE ${kept} AS SELECT ${list} FROM ${this.#sql.source()}`),
      );
      if (made === null || !(await this.file.isUnchanged())) throw new Error('the file is another');
      rows = Number(made.value(0, 0));
      await this.#requireDecimals(needed);
    } catch (error) {
      await this.remove();
      if (isInterrupted(error)) throw error;
      return null;
    }
    const shown = columns.map(({ name }, at) => {
      const value = needed.includes(at) ? this.#sql.raw(at) : `CAST(NULL AS ${this.#sql.typeOf(at)})`;
      return `${value} AS ${quoteName(name)}`;
    });
    await this.#connection.run(
      `CREATE OR REPLACE VIEW ${quoteName(this.#name)} AS SELECT ${shown.join(', ')} FROM ${kept}`,
    );
    return rows;
  }

  /** Removes the table, so that rows can make it. */
  async remove(): Promise<void> {
    await this.#connection.run(`DROP TABLE IF EXISTS ${this.#kept}; DROP VIEW ${quoteName(this.#name)}`);
  }

  /** Rows without any value do not tell how many digits their decimals have behind the point, as a table does. */
  async #requireDecimals(needed: readonly number[]): Promise<void> {
    const decimals = needed.filter((at) => this.file.columns[at]?.type === 'decimal');
    if (decimals.length === 0) return;
    const counts = decimals.map((at) => `count(${this.#sql.raw(at)})`).join(', ');
    const found = await this.#connection.runAndReadAll(`SELECT least(${counts}) FROM ${this.#kept}`);
    if (Number(found.value(0, 0)) === 0) throw new Error('a column of decimals has no value');
  }

  /** A plan names the columns of a text file; it may call those of a table by their own names. */
  #isRead(at: number, plan: string): boolean {
    if (this.file.format === 'csv') return plan.includes(this.#sql.raw(at));
    return this.#read === null || this.#read.has(this.file.columns[at]?.name.toLowerCase() ?? '');
  }

  /** One that the engine reads, for the number of rows. */
  #anyColumn(): number {
    const { file } = this;
    return file.format === 'csv'
      ? 0
      : Math.max(
          0,
          file.columns.findIndex(({ sqlType }) => sqlType !== null),
        );
  }
}

/** Whether the engine reads every column that a query may read as rows have it. Names that differ in case alone are one name to it. */
export function mayRead(file: EngineFile, read: ReadonlySet<string> | null): boolean {
  if (file.format === 'csv') return fitsEngine(file);
  const names = new Set(file.columns.map(({ name }) => name.toLowerCase()));
  const isUnread = (name: string) => read !== null && !read.has(name.toLowerCase());
  return (
    names.size === file.columns.length &&
    file.columns.every(({ name, sqlType }) => sqlType !== null || isUnread(name))
  );
}

/** Whether what the engine threw of a query is of the files below it, rather than of the query itself or an interrupt. */
export function isOfFile(error: unknown): boolean {
  return error instanceof Error && !/^(?:Binder|Parser|Catalog|INTERRUPT)\b/i.test(error.message);
}

function isInterrupted(error: unknown): boolean {
  return error instanceof Error && /^INTERRUPT/i.test(error.message);
}
