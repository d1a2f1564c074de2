import type { ParquetTable } from '../engine-file.ts';
import { type EngineFileSql, NOT_AS_EXPECTED } from './engine-file-sql.ts';
import { quoteName, quoteText } from './identifier.ts';

/** Of a column that nothing reads. */
const UNREAD = 'VARCHAR';
/**
 * The engine's own types for the columns of a file, of which the values become those of a type by a cast that changes none. The engine
 * does not know every annotation: it takes a text without the older one for bytes, and a decimal without it for a whole number.
 */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  BIGINT: ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT'],
  DOUBLE: ['FLOAT', 'DOUBLE'],
  'TIMESTAMP WITH TIME ZONE': ['TIMESTAMP', 'TIMESTAMP WITH TIME ZONE'],
};
const DECIMAL = /^DECIMAL\((?<digits>\d+), ?(?<scale>\d+)\)$/;
/** The first and the last moment that rows write as text and the engine reads from text. */
const BOUNDS: Readonly<Record<string, readonly [string, string]>> = {
  DATE: ["DATE '0001-01-01'", "DATE '9999-12-31'"],
  'TIMESTAMP WITH TIME ZONE': [
    "TIMESTAMPTZ '0001-01-01 00:00:00+00'",
    "TIMESTAMPTZ '9999-12-31 23:59:59.999999+00'",
  ],
};

/** A file may hold more digits than it declares: rows then have a wider type. */
function decimalBounds(type: string): readonly [string, string] | null {
  const { digits, scale } = DECIMAL.exec(type)?.groups ?? {};
  if (digits === undefined || scale === undefined) return null;
  const nines = '9'.repeat(Number(digits));
  const point = nines.length - Number(scale);
  const most = `${nines.slice(0, point)}.${nines.slice(point)}`;
  return [`CAST('-${most}' AS ${type})`, `CAST('${most}' AS ${type})`];
}

/** How the engine reads a Parquet file by itself. `prefix` keeps the names of raw columns apart from others. */
export class ParquetTableSql implements EngineFileSql {
  readonly #file: ParquetTable;
  readonly #prefix: string;

  constructor(file: ParquetTable, prefix: string) {
    this.#file = file;
    this.#prefix = prefix;
  }

  raw(at: number): string {
    return `${this.#prefix}${at}_`;
  }

  typeOf(at: number): string {
    return this.#file.columns[at]?.sqlType ?? UNREAD;
  }

  readsAs(at: number, found: string): boolean {
    const type = this.typeOf(at);
    const scale = DECIMAL.exec(type)?.groups?.['scale'];
    if (scale !== undefined) return DECIMAL.exec(found)?.groups?.['scale'] === scale;
    return (FOUND[type] ?? [type]).includes(found);
  }

  source(): string {
    const columns = this.#file.columns.map(({ name, sqlType }, at) => {
      const value = sqlType === null ? `CAST(NULL AS ${UNREAD})` : quoteName(name);
      return `${value} AS ${this.raw(at)}`;
    });
    return `(SELECT ${columns.join(', ')} FROM read_parquet(${quoteText(this.#file.path)}))`;
  }

  checked(at: number): string {
    const raw = this.raw(at);
    const type = this.typeOf(at);
    const value = `CAST(${raw} AS ${type})`;
    const bounds = BOUNDS[type] ?? decimalBounds(type);
    if (bounds === null) return value;
    const [first, last] = bounds;
    return `CASE WHEN ${raw} IS NULL OR ${value} BETWEEN ${first} AND ${last} THEN ${value} ELSE error(${quoteText(NOT_AS_EXPECTED)}) END`;
  }
}
