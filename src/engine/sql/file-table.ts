import type { DuckDBConnection } from '@duckdb/node-api';
import type { ColumnType } from '../../drivers/driver.ts';
import { quoteName, quoteText } from '../../drivers/duckdb/identifier.ts';
import type { TextFile } from '../../drivers/text-file.ts';

/** SQL types of columns whose values a text file has in one form; a file with columns of another type is read as rows. */
const TYPES: Partial<Record<ColumnType, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
};
/** Types of which not every value of the form exists, such as 31 February: as rows, such a value fails the step whether the query reads it or not. */
const HAS_ABSENT_VALUES: ReadonlySet<ColumnType> = new Set(['date', 'timestamp']);
/** What says the same as the form of a type, and is worked out faster: conditions and their values, in order. */
const FITS: Partial<Record<ColumnType, (raw: string, cast: string) => readonly string[]>> = {
  // No other text gives this number and its digits back.
  integer: (raw, cast) => [`WHEN CAST(TRY_${cast} AS VARCHAR) = ${raw} THEN ${cast}`],
  boolean: (raw) =>
    [raw, `lower(${raw})`].flatMap((text) =>
      ['true', 'false'].map((value) => `WHEN ${text} = '${value}' THEN ${value}`),
    ),
};
const NOT_AS_EXPECTED = 'a value does not have the form of its column';

export function fitsTable({ columns }: TextFile): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  return names.size === columns.length && columns.every(({ type }) => TYPES[type] !== undefined);
}

/**
 * A table that the engine makes of a text file by itself, in place of rows that pass through JavaScript: of the columns that the query
 * reads and of dates, each value checked against the form that the driver's own reader asks for. First `expect`, so that the query can be planned, then
 * `fill`.
 */
export class FileTable {
  readonly file: TextFile;
  readonly #connection: DuckDBConnection;
  readonly #name: string;
  readonly #prefix: string;

  constructor(connection: DuckDBConnection, name: string, index: number, file: TextFile) {
    this.#connection = connection;
    this.#name = name;
    this.#prefix = `headgate_file${index}_`;
    this.file = file;
  }

  /** Makes the table as a view of the file. */
  async expect(): Promise<void> {
    const columns = this.file.columns.map(({ name }, at) => `${this.#checked(at)} AS ${quoteName(name)}`);
    await this.#connection.run(
      `CREATE VIEW ${quoteName(this.#name)} AS SELECT ${columns.join(', ')} FROM ${this.#source()}`,
    );
  }

  /**
   * Reads the file. `plan` is that of the query, which names the columns that it needs. Gives the rows, or null where the file is not
   * as plain as it looked: then nothing of it is left.
   */
  async fill(plan: string): Promise<number | null> {
    const { columns } = this.file;
    const named = columns.flatMap((_, at) => (plan.includes(this.#raw(at)) ? [at] : []));
    const existing = columns.flatMap(({ type }, at) =>
      HAS_ABSENT_VALUES.has(type) && !named.includes(at) ? [`${this.#exists(at)} AS ${this.#raw(at)}`] : [],
    );
    const needed = named.length + existing.length > 0 ? named : [0];
    const kept = quoteName(this.#prefix);
    try {
      const list = [...needed.map((at) => `${this.#checked(at)} AS ${this.#raw(at)}`), ...existing].join(
        ', ',
      );
      await this.#connection.run(`CREATE TABLE ${kept} AS SELECT ${list} FROM ${this.#source()}`);
      if (!(await this.file.isUnchanged())) throw new Error('the file has changed');
    } catch (error) {
      await this.#connection.run(`DROP TABLE IF EXISTS ${kept}; DROP VIEW ${quoteName(this.#name)}`);
      if (isInterrupted(error)) throw error;
      return null;
    }
    const shown = columns.map(({ name, type }, at) => {
      const value = needed.includes(at) ? this.#raw(at) : `CAST(NULL AS ${TYPES[type]})`;
      return `${value} AS ${quoteName(name)}`;
    });
    await this.#connection.run(
      `CREATE OR REPLACE VIEW ${quoteName(this.#name)} AS SELECT ${shown.join(', ')} FROM ${kept}`,
    );
    const count = await this.#connection.runAndReadAll(`SELECT count(*) FROM ${kept}`);
    return Number(count.value(0, 0));
  }

  /** A name that no other column of the query has. */
  #raw(at: number): string {
    return `${this.#prefix}${at}_`;
  }

  #source(): string {
    const { path, delimiter, header, columns } = this.file;
    const types = columns.map((_, at) => `${this.#raw(at)}: 'VARCHAR'`);
    return `read_csv(${quoteText(path)}, auto_detect = false, header = ${header}, delim = ${quoteText(delimiter)}, quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, strict_mode = true, new_line = '\\n', columns = {${types.join(', ')}})`;
  }

  #cast(at: number): string {
    return `CAST(${this.#raw(at)} AS ${TYPES[this.file.columns[at]?.type ?? 'string']})`;
  }

  /** That no value of a column which the query does not read is one that does not exist. What is no date at all is told apart as rows. */
  #exists(at: number): string {
    const raw = this.#raw(at);
    return `CASE WHEN ${raw} IS NULL OR ${raw} = '' OR TRY_${this.#cast(at)} IS NOT NULL THEN true ELSE error(${quoteText(NOT_AS_EXPECTED)}) END`;
  }

  /** Only what `read` would give as this type, and nothing that the engine would accept besides, such as `7.6` as an integer. */
  #checked(at: number): string {
    const { type = 'string', form = null, charsMax = null } = this.file.columns[at] ?? {};
    const raw = this.#raw(at);
    if (form === null) return raw;
    const cast = this.#cast(at);
    const isShort = charsMax === null ? '' : `length(${raw}) <= ${charsMax} AND `;
    // Values come before nulls: there are more of them.
    const values = FITS[type]?.(raw, cast) ?? [
      `WHEN ${isShort}regexp_full_match(${raw}, ${quoteText(form)}) THEN ${cast}`,
    ];
    return `CASE ${values.join(' ')} WHEN ${raw} IS NULL OR ${raw} = '' THEN NULL ELSE error(${quoteText(NOT_AS_EXPECTED)}) END`;
  }
}

function isInterrupted(error: unknown): boolean {
  return error instanceof Error && /^INTERRUPT/i.test(error.message);
}
