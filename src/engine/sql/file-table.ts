import type { DuckDBConnection } from '@duckdb/node-api';
import type { ColumnType } from '../../drivers/driver.ts';
import { quoteName } from '../../drivers/duckdb/identifier.ts';
import { TextFileSql } from '../../drivers/duckdb/text-file-sql.ts';
import type { TextFile } from '../../drivers/text-file.ts';

/** Types of which not every value of the form exists, such as 31 February: as rows, such a value fails the step whether the query reads it or not. */
const HAS_ABSENT_VALUES: ReadonlySet<ColumnType> = new Set(['date', 'timestamp']);

/**
 * A table that the engine makes of a text file by itself, in place of rows that pass through JavaScript: of the columns that the query
 * reads and of dates, each value checked against the form that the driver's own reader asks for. First `expect`, so that the query can be planned, then
 * `fill`.
 */
export class FileTable {
  readonly file: TextFile;
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #kept: string;
  readonly #sql: TextFileSql;

  constructor(connection: DuckDBConnection, name: string, index: number, file: TextFile) {
    this.#connection = connection;
    this.#name = name;
    const prefix = `headgate_file${index}_`;
    this.#kept = quoteName(prefix);
    this.#sql = new TextFileSql(file, prefix);
    this.file = file;
  }

  /** Makes the table as a view of the file. */
  async expect(): Promise<void> {
    const columns = this.file.columns.map(({ name }, at) => `${this.#sql.checked(at)} AS ${quoteName(name)}`);
    await this.#connection.run(
      `CREATE VIEW ${quoteName(this.#name)} AS SELECT ${columns.join(', ')} FROM ${this.#sql.source()}`,
    );
  }

  /**
   * Reads the file. `plan` is that of the query, which names the columns that it needs. Gives the rows, or null where the file is not
   * as plain as it looked: then nothing of it is left.
   */
  async fill(plan: string): Promise<number | null> {
    const { columns } = this.file;
    const named = columns.flatMap((_, at) => (plan.includes(this.#sql.raw(at)) ? [at] : []));
    const existing = columns.flatMap(({ type }, at) =>
      HAS_ABSENT_VALUES.has(type) && !named.includes(at)
        ? [`${this.#sql.exists(at)} AS ${this.#sql.raw(at)}`]
        : [],
    );
    const needed = named.length + existing.length > 0 ? named : [0];
    const kept = this.#kept;
    try {
      const list = [
        ...needed.map((at) => `${this.#sql.checked(at)} AS ${this.#sql.raw(at)}`),
        ...existing,
      ].join(', ');
      await this.#connection.run(`CREATE TABLE ${kept} AS SELECT ${list} FROM ${this.#sql.source()}`);
      if (!(await this.file.isUnchanged())) throw new Error('the file has changed');
    } catch (error) {
      await this.#connection.run(`DROP TABLE IF EXISTS ${kept}; DROP VIEW ${quoteName(this.#name)}`);
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
    const count = await this.#connection.runAndReadAll(`SELECT count(*) FROM ${kept}`);
    return Number(count.value(0, 0));
  }
}

function isInterrupted(error: unknown): boolean {
  return error instanceof Error && /^INTERRUPT/i.test(error.message);
}
