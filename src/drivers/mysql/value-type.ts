import mysql, { type FieldPacket } from 'mysql2';
import type { ColumnType } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import { shortestSingle } from '../values/single-precision.ts';
import { ownDecimalScale } from './types/own-type.ts';

/** A value of the client as it travels. */
type Reader = (value: unknown) => unknown;

/** A column of a result. */
export interface ResultType {
  readonly type: ColumnType;
  /** null where a value is already as it travels. */
  readonly read: Reader | null;
  /** As declared, where others can use it. */
  readonly native?: string;
}

export interface ReadOptions {
  readonly zeroDates: 'null' | 'text';
}

const { Types } = mysql;
const BINARY_CHARSET = 63;
const UNSIGNED_FLAG = 32;

const INTEGERS: ReadonlySet<number> = new Set([
  Types.TINY,
  Types.SHORT,
  Types.INT24,
  Types.LONG,
  Types.LONGLONG,
  Types.YEAR,
]);
const BYTES: ReadonlySet<number> = new Set([
  Types.BLOB,
  Types.TINY_BLOB,
  Types.MEDIUM_BLOB,
  Types.LONG_BLOB,
  Types.STRING,
  Types.VAR_STRING,
  Types.VARCHAR,
]);

/** What `mysql2` tells of a column besides its public fields. */
type Field = FieldPacket & { readonly extendedFormat?: string };

/** The common type of a result's column, and how its values are read. */
export function resultTypeOf(field: FieldPacket, options: ReadOptions): ResultType {
  const { columnType = 0, columnLength = 0, characterSet, decimals = 0, extendedFormat } = field as Field;
  const flags = Number(field.flags);
  if (extendedFormat === 'json' || columnType === Types.JSON) return { type: 'json', read: json };
  if (columnType === Types.TINY && columnLength === 1 && (flags & UNSIGNED_FLAG) === 0)
    return { type: 'boolean', read: truth };
  if (INTEGERS.has(columnType)) return { type: 'integer', read: null };
  if (columnType === Types.BIT)
    return columnLength === 1 ? { type: 'boolean', read: bit } : { type: 'integer', read: bits };
  if (columnType === Types.NEWDECIMAL || columnType === Types.DECIMAL)
    return decimals === ownDecimalScale
      ? { type: 'decimal', read: trimmed }
      : { type: 'decimal', read: null, native: declaredDecimal(columnLength, decimals, flags) };
  if (columnType === Types.DOUBLE) return { type: 'number', read: null };
  if (columnType === Types.FLOAT) return { type: 'number', read: single };
  if (columnType === Types.DATE || columnType === Types.NEWDATE)
    return { type: 'date', read: options.zeroDates === 'null' ? date : null };
  if (columnType === Types.DATETIME || columnType === Types.TIMESTAMP)
    return { type: 'timestamp', read: (value) => timestamp(value, options) };
  if (columnType === Types.TIME) return { type: 'time', read: null };
  if (columnType === Types.GEOMETRY) return { type: 'json', read: null };
  const isBinary = BYTES.has(columnType) && Number(characterSet) === BINARY_CHARSET;
  return isBinary ? { type: 'binary', read: base64 } : { type: 'string', read: null };
}

/** The length counts the digits, and the sign and the point where there may be one. */
function declaredDecimal(length: number, scale: number, flags: number): string {
  const signs = ((flags & UNSIGNED_FLAG) === 0 ? 1 : 0) + (scale > 0 ? 1 : 0);
  return `decimal(${length - signs},${scale})`;
}

function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/** `tinyint(1)` holds other numbers as well: they stay as they are. */
function truth(value: unknown): unknown {
  return value === 1 || value === 0 ? value === 1 : value;
}

function bit(value: unknown): unknown {
  return value instanceof Uint8Array ? value.at(-1) === 1 : value;
}

function bits(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  const found = BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`);
  return found <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(found) : String(found);
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\.?0+$/, '') : value;
}

/** As it is shown in four bytes: `0.1`, and not `0.10000000149011612`. */
function single(value: unknown): unknown {
  return typeof value === 'number' && Number.isFinite(value) ? shortestSingle(value) : value;
}

const ZERO_IN_DATE = /^0000|^\d{4}-00|^\d{4}-\d\d-00/;

function date(value: unknown): unknown {
  return typeof value === 'string' && ZERO_IN_DATE.test(value) ? null : value;
}

/** `2024-01-31 12:00:00.500000` as RFC 3339; the session is in UTC. */
function timestamp(value: unknown, { zeroDates }: ReadOptions): unknown {
  if (typeof value !== 'string') return value;
  if (ZERO_IN_DATE.test(value)) return zeroDates === 'null' ? null : value;
  const text = value.includes('.') ? value.replace(/\.?0+$/, '') : value;
  return `${text.replace(' ', 'T')}Z`;
}

function base64(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
