import type { SchemaElement } from 'hyparquet';
import type { ColumnType } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import type { DeclaredType } from '../types/declared-type.ts';
import { createDayText, createTimestampText, createTimeText, type TimeUnit } from './time-text.ts';

/**
 * What a leaf of the schema holds. The file stores INT32 as a number, INT64 and INT96 as a bigint (INT96 in nanoseconds since 1970), byte
 * arrays as bytes; `convert` makes our value of it, null where it is one.
 */
export interface LeafValue {
  readonly type: ColumnType;
  readonly native: string;
  readonly convert: ((stored: never) => unknown) | null;
  readonly declared?: Omit<DeclaredType, 'engine' | 'sql'>;
}

type Count = bigint | number;

const decoder = new TextDecoder();
/** A text may begin with U+FEFF, which belongs to it. */
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function integerOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale));
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

function signedOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function unitOf(element: SchemaElement, kind: 'TIMESTAMP' | 'TIME'): TimeUnit | null {
  const { logical_type: logical, converted_type: converted } = element;
  if (logical?.type === kind) return logical.unit;
  if (converted === `${kind}_MILLIS`) return 'MILLIS';
  return converted === `${kind}_MICROS` ? 'MICROS' : null;
}

function timeValue(element: SchemaElement): LeafValue | null {
  const { logical_type: logical, converted_type: converted } = element;
  const stamp = unitOf(element, 'TIMESTAMP');
  if (stamp !== null) {
    const isLocal = logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC;
    const native = `timestamp(${stamp.toLowerCase()}${isLocal ? '' : ', utc'})`;
    const convert = createTimestampText(stamp, isLocal ? '' : 'Z');
    return { type: 'timestamp', native, convert, declared: { zone: !isLocal } };
  }
  const time = unitOf(element, 'TIME');
  if (time !== null) {
    const native = `time(${time.toLowerCase()})`;
    return { type: 'time', native, convert: createTimeText(time), declared: { zone: false } };
  }
  if (converted === 'DATE' || logical?.type === 'DATE')
    return { type: 'date', native: 'date', convert: createDayText() };
  if (element.type !== 'INT96') return null;
  return {
    type: 'timestamp',
    native: 'int96',
    convert: createTimestampText('NANOS', 'Z'),
    declared: { zone: true },
  };
}

function decimalValue(element: SchemaElement): LeafValue | null {
  const { logical_type: logical, converted_type: converted } = element;
  if (converted !== 'DECIMAL' && logical?.type !== 'DECIMAL') return null;
  const { precision = 0, scale = 0 } = logical?.type === 'DECIMAL' ? logical : element;
  const isCount = element.type === 'INT32' || element.type === 'INT64';
  return {
    type: 'decimal',
    native: `decimal(${precision},${scale})`,
    convert: isCount
      ? (count: Count) => decimalText(BigInt(count), scale)
      : (bytes: Uint8Array) => decimalText(signedOf(bytes), scale),
    declared: { precision, scale },
  };
}

const WIDTHS = [8, 16, 32, 64] as const;

function integerValue(element: SchemaElement, widest: 32 | 64): LeafValue {
  const { logical_type: logical, converted_type: converted } = element;
  const [, prefix = '', width = String(widest)] = /^(U?)INT_(\d+)$/.exec(converted ?? '') ?? [];
  const isUnsigned = logical?.type === 'INTEGER' ? !logical.isSigned : prefix !== '';
  const bits =
    WIDTHS.find((one) => one === (logical?.type === 'INTEGER' ? logical.bitWidth : Number(width))) ?? widest;
  const declared = { bits, ...(isUnsigned && { unsigned: true }) };
  const native = `${isUnsigned ? 'u' : ''}int${bits}`;
  if (widest === 32)
    return {
      type: 'integer',
      native,
      convert: isUnsigned ? (count: number) => count >>> 0 : null,
      declared,
    };
  const convert = isUnsigned ? (count: bigint) => integerOf(BigInt.asUintN(64, count)) : integerOf;
  return { type: 'integer', native, convert, declared };
}

function bytesValue({ logical_type: logical, converted_type: converted }: SchemaElement): LeafValue {
  const kind = logical?.type ?? converted;
  switch (kind) {
    case 'FLOAT16':
      return { type: 'number', native: 'float16', convert: null, declared: { single: true } };
    case 'UTF8':
    case 'STRING':
    case 'ENUM':
      return {
        type: 'string',
        native: 'string',
        convert: (bytes: Uint8Array) => textDecoder.decode(bytes),
      };
    case 'JSON':
      return {
        type: 'json',
        native: 'json',
        convert: (bytes: Uint8Array) => parseJson(decoder.decode(bytes)),
      };
    case 'UUID':
      return { type: 'string', native: 'uuid', convert: uuidText, declared: { uuid: true } };
    default:
      return { type: 'binary', native: (converted ?? 'binary').toLowerCase(), convert: base64 };
  }
}

/** Decimals, and integers beyond 2^53, become text with all digits, times RFC 3339, bytes base64; NaN and the infinities stay. */
export function leafValue(element: SchemaElement): LeafValue {
  const special = timeValue(element) ?? decimalValue(element);
  if (special !== null) return special;
  switch (element.type) {
    case 'BOOLEAN':
      return { type: 'boolean', native: 'boolean', convert: null };
    case 'INT32':
      return integerValue(element, 32);
    case 'INT64':
      return integerValue(element, 64);
    case 'FLOAT':
      return { type: 'number', native: 'float', convert: null, declared: { single: true } };
    case 'DOUBLE':
      return { type: 'number', native: 'double', convert: null };
    default:
      return bytesValue(element);
  }
}
