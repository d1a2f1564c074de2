import type { DuckDBDataChunk, DuckDBResult, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import type { Batch, Column, ColumnType, Row } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import type { DuckDb } from './engine.ts';

type Read = (value: DuckDBValue) => unknown;

interface ResultColumn {
  readonly column: Column;
  /** null where values are taken as they are. */
  readonly read: Read | null;
}

const SECOND_MICROS = 1_000_000n;
/** The seconds of the years 0000 to 9999, of which RFC 3339 knows. */
const SECONDS_MIN = -62_167_219_200n;
const SECONDS_MAX = 253_402_300_799n;
const DAY_MS = 86_400_000;
const DAYS_MIN = -719_528;
const DAYS_MAX = 2_932_896;

/** The rows of a result as they are computed; at least one batch, which tells of the columns. */
export async function* batchesOf(
  duckdb: DuckDb,
  result: DuckDBResult,
): AsyncGenerator<Batch, void, undefined> {
  const columns = new ResultColumns(duckdb, result);
  let rows = 0;
  for (let chunk = await result.fetchChunk(); chunk !== null; chunk = await result.fetchChunk()) {
    if (chunk.rowCount === 0) break;
    rows += chunk.rowCount;
    yield columns.batchOf(chunk);
  }
  if (rows === 0) yield { columns: columns.columns, rows: [] };
}

/** How the values of a result become those of rows: exactly, in the form that connectors use. */
export class ResultColumns {
  readonly columns: readonly Column[];
  readonly #columns: readonly ResultColumn[];

  /** `names` are those of the columns, where they are not those of the result. */
  constructor(
    duckdb: DuckDb,
    result: DuckDBResult,
    names: readonly string[] = result.deduplicatedColumnNames(),
  ) {
    const types = new ResultTypes(duckdb);
    this.#columns = names.map((name, index) => {
      const type = result.columnType(index);
      const { type: common, read } = types.of(type);
      return { column: { name, type: common, nullable: true, native_type: type.toString() }, read };
    });
    this.columns = this.#columns.map(({ column }) => column);
  }

  batchOf(chunk: DuckDBDataChunk): Batch {
    const rows: Row[] = Array.from({ length: chunk.rowCount }, () => ({}));
    this.#columns.forEach(({ column: { name }, read }, index) => {
      const values = chunk.getColumnValues(index);
      for (let at = 0; at < rows.length; at++) {
        const value = values[at] ?? null;
        put(rows[at] as Row, name, value === null || read === null ? value : read(value));
      }
    });
    return { columns: this.columns, rows };
  }
}

/** As a field of its own, whatever its name. */
function put(row: Row, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(row, name, { value, writable: true, enumerable: true, configurable: true });
  else row[name] = value;
}

class ResultTypes {
  readonly #duckdb: DuckDb;

  constructor(duckdb: DuckDb) {
    this.#duckdb = duckdb;
  }

  of(type: DuckDBType): { readonly type: ColumnType; readonly read: Read | null } {
    const { DuckDBTypeId: Id } = this.#duckdb;
    switch (type.typeId) {
      case Id.BOOLEAN:
        return { type: 'boolean', read: null };
      case Id.TINYINT:
      case Id.SMALLINT:
      case Id.INTEGER:
      case Id.UTINYINT:
      case Id.USMALLINT:
      case Id.UINTEGER:
        return { type: 'integer', read: null };
      case Id.BIGINT:
      case Id.UBIGINT:
      case Id.HUGEINT:
      case Id.UHUGEINT:
      case Id.BIGNUM:
        return { type: 'integer', read: integer };
      case Id.FLOAT:
      case Id.DOUBLE:
        return { type: 'number', read: null };
      case Id.DECIMAL:
        return { type: 'decimal', read: String };
      case Id.VARCHAR:
        return type.alias === 'JSON' ? { type: 'json', read: parsed } : { type: 'string', read: null };
      case Id.SQLNULL:
        return { type: 'unknown', read: null };
      case Id.BLOB:
        return { type: 'binary', read: base64 };
      case Id.DATE:
        return { type: 'date', read: date };
      case Id.TIME:
      case Id.TIME_NS:
      case Id.TIME_TZ:
        return { type: 'time', read: String };
      case Id.TIMESTAMP:
      case Id.TIMESTAMP_TZ:
        return { type: 'timestamp', read: (value) => instant((value as { micros: bigint }).micros, value) };
      case Id.TIMESTAMP_S:
      case Id.TIMESTAMP_MS:
      case Id.TIMESTAMP_NS:
        return { type: 'timestamp', read: (value) => `${String(value).replace(' ', 'T')}Z` };
      case Id.LIST:
      case Id.ARRAY:
      case Id.STRUCT:
      case Id.MAP:
      case Id.UNION:
        return { type: 'json', read: this.#nested(type) };
      default:
        return { type: 'string', read: String };
    }
  }

  /** Values inside a list or a record, as those of a column would be. */
  #nested(type: DuckDBType): Read {
    const { DuckDBTypeId: Id } = this.#duckdb;
    const orNull = (inner: DuckDBType): Read => {
      const { read } = this.of(inner);
      return (value) => (value === null || value === undefined ? null : read === null ? value : read(value));
    };
    switch (type.typeId) {
      case Id.LIST:
      case Id.ARRAY: {
        const item = orNull((type as { valueType: DuckDBType }).valueType);
        return (value) => (value as { items: readonly DuckDBValue[] }).items.map(item);
      }
      case Id.STRUCT: {
        const { entryNames, entryTypes } = type as unknown as StructType;
        const reads = entryTypes.map(orNull);
        return (value) => {
          const { entries } = value as { entries: Readonly<Record<string, DuckDBValue>> };
          return Object.fromEntries(entryNames.map((name, at) => [name, reads[at]?.(entries[name] ?? null)]));
        };
      }
      case Id.MAP: {
        const { keyType, valueType } = type as unknown as { keyType: DuckDBType; valueType: DuckDBType };
        const [key, item] = [orNull(keyType), orNull(valueType)];
        return (value) => {
          const { entries } = value as unknown as {
            entries: readonly { key: DuckDBValue; value: DuckDBValue }[];
          };
          return Object.fromEntries(entries.map((entry) => [keyText(key(entry.key)), item(entry.value)]));
        };
      }
      default: {
        const { memberTags, memberTypes } = type as unknown as {
          memberTags: string[];
          memberTypes: DuckDBType[];
        };
        const reads = new Map(memberTags.map((tag, at) => [tag, orNull(memberTypes[at] as DuckDBType)]));
        return (value) => {
          const { tag, value: inner } = value as unknown as { tag: string; value: DuckDBValue };
          return reads.get(tag)?.(inner);
        };
      }
    }
  }
}

interface StructType {
  readonly entryNames: readonly string[];
  readonly entryTypes: readonly DuckDBType[];
}

function keyText(key: unknown): string {
  return typeof key === 'object' ? JSON.stringify(key) : String(key);
}

function integer(value: DuckDBValue): unknown {
  const exact = value as bigint;
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(exact)
    : String(exact);
}

function base64(value: DuckDBValue): string {
  const { bytes } = value as unknown as { bytes: Uint8Array };
  return Buffer.from(bytes).toString('base64');
}

function date(value: DuckDBValue): string {
  const { days } = value as { days: number };
  return days >= DAYS_MIN && days <= DAYS_MAX
    ? new Date(days * DAY_MS).toISOString().slice(0, 10)
    : String(value);
}

/** RFC 3339 in UTC, with the microseconds that there are. */
function instant(micros: bigint, value: DuckDBValue): string {
  let seconds = micros / SECOND_MICROS;
  let rest = micros % SECOND_MICROS;
  if (rest < 0n) {
    seconds -= 1n;
    rest += SECOND_MICROS;
  }
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) return String(value);
  const whole = new Date(Number(seconds) * 1_000).toISOString().slice(0, 19);
  if (rest === 0n) return `${whole}Z`;
  return `${whole}.${String(rest).padStart(6, '0').replace(/0+$/, '')}Z`;
}

function parsed(value: DuckDBValue): unknown {
  return parseJson(value as string);
}
