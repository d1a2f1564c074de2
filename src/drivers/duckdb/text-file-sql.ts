import type { ColumnType } from '../driver.ts';
import type { TextFile } from '../engine-file.ts';
import { type EngineFileSql, NOT_AS_EXPECTED } from './engine-file-sql.ts';
import { quoteText } from './identifier.ts';

/** SQL types of columns whose values a text file has in one form; a file with columns of another type is read as rows. */
const TYPES: Partial<Record<ColumnType, string>> = {
  string: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
};
/** What says the same as the form of a type, and is worked out faster: conditions and their values, in order. */
const FITS: Partial<Record<ColumnType, (raw: string, cast: string) => readonly string[]>> = {
  // No other text gives this number and its digits back.
  integer: (raw, cast) => [`WHEN CAST(TRY_${cast} AS VARCHAR) = ${raw} THEN TRY_${cast}`],
  boolean: (raw) =>
    [raw, `lower(${raw})`].flatMap((text) =>
      ['true', 'false'].map((value) => `WHEN ${text} = '${value}' THEN ${value}`),
    ),
};
/** The engine holds some of them for each thread; by itself it takes many times as much. A line may have half of it. */
const TEXT_BUFFER_BYTES = 512 * 1024;

export interface ColumnForm {
  /** A regular expression for the whole value. */
  readonly form: string;
  readonly sqlType: string;
}

/** True where the engine has a type for each column; names that differ in case alone are one name to it. */
export function fitsEngine({ columns }: TextFile): boolean {
  const names = new Set(columns.map(({ name }) => name.toLowerCase()));
  return names.size === columns.length && columns.every(({ type }) => TYPES[type] !== undefined);
}

/**
 * How the engine reads a text file by itself: each value is checked against the form that the driver's own reader asks for, and the
 * statement fails at the first that does not have it. `prefix` keeps the names of raw columns apart from others.
 */
export class TextFileSql implements EngineFileSql {
  readonly #file: TextFile;
  readonly #prefix: string;
  readonly #bufferBytes: number;

  constructor(file: TextFile, prefix: string, bufferBytes = TEXT_BUFFER_BYTES) {
    this.#bufferBytes = bufferBytes;
    this.#file = file;
    this.#prefix = prefix;
  }

  /** The name of a column's text, which nothing else has. */
  raw(at: number): string {
    return `${this.#prefix}${at}_`;
  }

  typeOf(at: number): string {
    return TYPES[this.#file.columns[at]?.type ?? 'string'] ?? 'VARCHAR';
  }

  readsAs(_at: number, found: string): boolean {
    return found === 'VARCHAR';
  }

  source(): string {
    const { path, delimiter, header, columns } = this.#file;
    const types = columns.map((_, at) => `${this.raw(at)}: 'VARCHAR'`);
    return `read_csv(${quoteText(path)}, auto_detect = false, header = ${header}, delim = ${quoteText(delimiter)}, quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false, strict_mode = true, new_line = '\\n', buffer_size = ${this.#bufferBytes}, columns = {${types.join(', ')}})`;
  }

  #cast(at: number, type = this.typeOf(at)): string {
    return `CAST(${this.raw(at)} AS ${type})`;
  }

  /**
   * Only what `read` would give as this type, and nothing that the engine would accept besides, such as `7.6` as an integer. `narrower`: a
   * form that allows less than that of the column, and its SQL type.
   */
  checked(at: number, narrower?: ColumnForm): string {
    const { type = 'string', form: usual = null, charsMax = null } = this.#file.columns[at] ?? {};
    const { form, sqlType } = narrower ?? { form: usual, sqlType: this.typeOf(at) };
    const raw = this.raw(at);
    if (form === null) return raw;
    const cast = this.#cast(at, sqlType);
    const isShort = charsMax === null ? '' : `strlen(${raw}) <= ${charsMax} AND `;
    // Values come before nulls: there are more of them.
    const values = FITS[type]?.(raw, cast) ?? [
      `WHEN ${isShort}regexp_full_match(${raw}, ${quoteText(form)}) THEN ${cast}`,
    ];
    return `CASE ${values.join(' ')} WHEN ${raw} IS NULL OR ${raw} = '' THEN NULL ELSE error(${quoteText(NOT_AS_EXPECTED)}) END`;
  }
}
