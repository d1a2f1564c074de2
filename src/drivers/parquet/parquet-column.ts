import type { ParquetParsers, SchemaElement, SchemaTree } from 'hyparquet';
import type { Column, ColumnType } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import { createDayText, createTimestampText, createTimeText, type TimeUnit } from './time-text.ts';

/**
 * How one column is decoded. hyparquet converts values while they are still in the dictionary of a column chunk, so a
 * value that repeats is converted once; but some of its conversions lose digits. So each column is read under an
 * annotation of our choice (`element`), whose one parser is ours.
 */
export interface ParquetColumn {
  readonly column: Column;
  /** Replaces the element of the schema with the same name; null keeps it. */
  readonly element: SchemaElement | null;
  readonly parsers: Partial<ParquetParsers>;
  /** For what no parser gets to see: nested values, and numbers that are not finite. */
  readonly finish: ((value: unknown) => unknown) | null;
}

type Convert<T> = (value: T) => unknown;

const decoder = new TextDecoder();
/** A text may begin with U+FEFF, which belongs to it. */
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

function integerOf(value: bigint | number): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
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

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Parsers for values inside lists and records, where all leaves of a column share them. */
function nestedParsers(): Partial<ParquetParsers> {
  return {
    dateFromDays: createDayText(),
    timestampFromMilliseconds: createTimestampText('MILLIS', 'Z'),
    timestampFromMicroseconds: createTimestampText('MICROS', 'Z'),
    timestampFromNanoseconds: createTimestampText('NANOS', 'Z'),
    geometryFromBytes: base64,
    geographyFromBytes: base64,
  };
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return integerOf(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return Array.from(value as ArrayLike<unknown>, plainValue);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]));
  }
  return value ?? null;
}

function bare(element: SchemaElement): SchemaElement {
  const { converted_type: _converted, logical_type: _logical, ...rest } = element;
  return rest;
}

/** Read as 64-bit counts, through one parser. */
function fromLong(
  element: SchemaElement,
  convert: Convert<bigint>,
): Pick<ParquetColumn, 'element' | 'parsers'> {
  return {
    element: { ...bare(element), converted_type: 'TIMESTAMP_MILLIS' },
    parsers: { timestampFromMilliseconds: convert },
  };
}

/** Read as 32-bit counts, through one parser. */
function fromInt(
  element: SchemaElement,
  convert: Convert<number>,
): Pick<ParquetColumn, 'element' | 'parsers'> {
  return { element: { ...bare(element), converted_type: 'DATE' }, parsers: { dateFromDays: convert } };
}

function fromCount(
  element: SchemaElement,
  convert: Convert<bigint | number>,
): Pick<ParquetColumn, 'element' | 'parsers'> {
  return element.type === 'INT32' ? fromInt(element, convert) : fromLong(element, convert);
}

/** Read as bytes, through one parser. */
function fromBytes(
  element: SchemaElement,
  convert: Convert<Uint8Array>,
): Pick<ParquetColumn, 'element' | 'parsers'> {
  return {
    element: { ...bare(element), logical_type: { type: 'UUID' } },
    parsers: { uuidFromBytes: convert },
  };
}

interface Decoding extends Pick<ParquetColumn, 'element' | 'parsers'> {
  readonly type: ColumnType;
  readonly native: string;
  readonly finish?: ParquetColumn['finish'];
}

function unitOf(element: SchemaElement, kind: 'TIMESTAMP' | 'TIME'): TimeUnit | null {
  const { logical_type: logical, converted_type: converted } = element;
  if (logical?.type === kind) return logical.unit;
  if (converted === `${kind}_MILLIS`) return 'MILLIS';
  return converted === `${kind}_MICROS` ? 'MICROS' : null;
}

function timeDecoding(element: SchemaElement): Decoding | null {
  const { logical_type: logical, converted_type: converted } = element;
  const stamp = unitOf(element, 'TIMESTAMP');
  if (stamp !== null) {
    const isLocal = logical?.type === 'TIMESTAMP' && !logical.isAdjustedToUTC;
    const convert = createTimestampText(stamp, isLocal ? '' : 'Z');
    const native = `timestamp(${stamp.toLowerCase()}${isLocal ? '' : ', utc'})`;
    return { type: 'timestamp', native, ...fromCount(element, convert) };
  }
  const time = unitOf(element, 'TIME');
  if (time !== null) {
    return {
      type: 'time',
      native: `time(${time.toLowerCase()})`,
      ...fromCount(element, createTimeText(time)),
    };
  }
  if (converted === 'DATE' || logical?.type === 'DATE') {
    return { type: 'date', native: 'date', ...fromInt(element, createDayText()) };
  }
  if (element.type !== 'INT96') return null;
  return {
    type: 'timestamp',
    native: 'int96',
    element: bare(element),
    parsers: { timestampFromNanoseconds: createTimestampText('NANOS', 'Z') },
  };
}

function numberDecoding(element: SchemaElement): Decoding | null {
  const { logical_type: logical, converted_type: converted, precision = 0, scale = 0 } = element;
  if (converted === 'DECIMAL' || logical?.type === 'DECIMAL') {
    const [digits, point] =
      logical?.type === 'DECIMAL' ? [logical.precision, logical.scale] : [precision, scale];
    const native = `decimal(${digits},${point})`;
    const isCount = element.type === 'INT32' || element.type === 'INT64';
    const decoded = isCount
      ? fromCount(element, (count) => decimalText(BigInt(count), point))
      : fromBytes(element, (bytes) => decimalText(signedOf(bytes), point));
    return { type: 'decimal', native, ...decoded };
  }
  switch (element.type) {
    case 'BOOLEAN':
      return { type: 'boolean', native: 'boolean', element: null, parsers: {} };
    case 'INT32':
      return { type: 'integer', native: (converted ?? 'int32').toLowerCase(), element: null, parsers: {} };
    case 'INT64': {
      const isUnsigned = converted === 'UINT_64' || (logical?.type === 'INTEGER' && !logical.isSigned);
      const convert: Convert<bigint> = isUnsigned
        ? (count) => integerOf(BigInt.asUintN(64, count))
        : integerOf;
      return { type: 'integer', native: isUnsigned ? 'uint64' : 'int64', ...fromLong(element, convert) };
    }
    case 'FLOAT':
    case 'DOUBLE':
      // JSON has no NaN and no infinity.
      return {
        type: 'number',
        native: element.type.toLowerCase(),
        element: null,
        parsers: {},
        finish: plainValue,
      };
    default:
      return null;
  }
}

function bytesDecoding(element: SchemaElement): Decoding {
  const { logical_type: logical, converted_type: converted } = element;
  const text: Convert<Uint8Array> = (bytes) => textDecoder.decode(bytes);
  if (logical?.type === 'FLOAT16') {
    return { type: 'number', native: 'float16', element: null, parsers: {}, finish: plainValue };
  }
  if (
    converted === 'UTF8' ||
    converted === 'ENUM' ||
    logical?.type === 'STRING' ||
    logical?.type === 'ENUM'
  ) {
    return { type: 'string', native: 'string', ...fromBytes(element, text) };
  }
  if (converted === 'JSON' || logical?.type === 'JSON') {
    return {
      type: 'json',
      native: 'json',
      ...fromBytes(element, (bytes) => parseJson(decoder.decode(bytes))),
    };
  }
  if (logical?.type === 'UUID') return { type: 'string', native: 'uuid', ...fromBytes(element, uuidText) };
  return { type: 'binary', native: (converted ?? 'binary').toLowerCase(), ...fromBytes(element, base64) };
}

/**
 * The column of a top-level field. Dates and times become text, decimals and integers beyond 2^53 as well, bytes base64;
 * lists, maps and records are `json`.
 */
export function parquetColumn(field: SchemaTree): ParquetColumn {
  const { element } = field;
  const nullable = element.repetition_type !== 'REQUIRED';
  const { name } = element;
  if (field.children.length > 0 || element.repetition_type === 'REPEATED') {
    const native = (element.converted_type ?? element.logical_type?.type ?? 'group').toLowerCase();
    const column: Column = { name, type: 'json', nullable, native_type: native };
    return { column, element: null, parsers: nestedParsers(), finish: plainValue };
  }
  const decoding = timeDecoding(element) ?? numberDecoding(element) ?? bytesDecoding(element);
  return {
    column: { name, type: decoding.type, nullable, native_type: decoding.native },
    element: decoding.element,
    parsers: decoding.parsers,
    finish: decoding.finish ?? null,
  };
}
