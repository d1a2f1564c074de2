import {
  Binary,
  BSON,
  BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'mongodb';
import { isRecord } from '../../../base/json.ts';
import { strictBytes } from '../../../base/values/strict-base64.ts';
import { ConnectorError } from '../../driver.ts';

const { EJSON } = BSON;

/** How deep values may be nested; a MongoDB server takes as many. */
const depthMax = 100;

const INT64_MAX = 2n ** 63n - 1n;
const TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const UUID_TEXT = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const REFUSED: ReadonlySet<string> = new Set(['$code', '$dbPointer', '$symbol', '$ref', '$scope']);

/** Of Extended JSON what is wrong with a value, without its place. */
class ValueProblem extends Error {}

const DECODERS: Readonly<Record<string, (value: unknown, whole: Record<string, unknown>) => unknown>> = {
  $oid: (value) => {
    if (typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value)) return new ObjectId(value);
    throw new ValueProblem('"$oid" takes 24 hexadecimal digits');
  },
  $date: dateOf,
  $numberInt: (value) => {
    const int = intOf('$numberInt', value);
    if (int >= -(2n ** 31n) && int < 2n ** 31n) return new Int32(Number(int));
    throw new ValueProblem('"$numberInt" takes a whole number of 32 bits; use "$numberLong"');
  },
  $numberLong: (value) => Long.fromBigInt(intOf('$numberLong', value)),
  $numberDouble: (value) => {
    const isNumber =
      typeof value === 'string' && value.trim() !== '' && (value === 'NaN' || !Number.isNaN(Number(value)));
    if (isNumber) return new Double(Number(value));
    throw new ValueProblem('"$numberDouble" takes the text of a number');
  },
  $numberDecimal: (value) => {
    const decimal = typeof value === 'string' ? exactDecimal(value) : null;
    if (decimal !== null) return decimal;
    throw new ValueProblem('"$numberDecimal" takes the text of a number of at most 34 digits');
  },
  $uuid: (value) => {
    if (typeof value === 'string' && UUID_TEXT.test(value)) return new UUID(value);
    throw new ValueProblem('"$uuid" takes a UUID such as "123e4567-e89b-42d3-a456-426614174000"');
  },
  $binary: binaryOf,
  $timestamp: (value) => {
    const { t: time, i: increment } = isRecord(value) ? value : {};
    const fits = [time, increment].every(
      (part) => Number.isInteger(part) && Number(part) >= 0 && Number(part) < 2 ** 32,
    );
    if (fits) return new Timestamp({ t: Number(time), i: Number(increment) });
    throw new ValueProblem('"$timestamp" takes {"t": …, "i": …}');
  },
  $regularExpression: (value) => {
    const { pattern, options = '' } = isRecord(value) ? value : {};
    if (typeof pattern === 'string' && typeof options === 'string') return new BSONRegExp(pattern, options);
    throw new ValueProblem('"$regularExpression" takes {"pattern": …, "options": …}');
  },
  $minKey: () => new MinKey(),
  $maxKey: () => new MaxKey(),
  $undefined: () => null,
};

/**
 * JSON with what stands for BSON types in it (Extended JSON v2, both forms) as BSON values. Operators of MongoDB pass as they are.
 * `fault` is that of the error for a value that is none, such as a `$date` that does not exist; it names the place below `name`.
 */
export function fromExtended(value: unknown, name: string, fault: 'CONFIG' | 'DATA' = 'CONFIG'): unknown {
  return decoded(value, name, fault, depthMax);
}

function decoded(value: unknown, at: string, fault: 'CONFIG' | 'DATA', depth: number): unknown {
  if (typeof value === 'bigint') return Long.fromBigInt(value);
  if (typeof value === 'string' && !value.isWellFormed())
    throw new ConnectorError(fault, `In "${at.slice(0, 100)}": a text has half a character`);
  if (typeof value === 'number') return intAsLong(value);
  if (value === null || typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array)
    return value;
  if ('_bsontype' in value) return value;
  if (depth === 0)
    throw new ConnectorError(fault, `"${at.slice(0, 100)}" is nested more than ${depthMax} deep`);
  if (Array.isArray(value))
    return value.map((item, index) => decoded(item, `${at}.${index}`, fault, depth - 1));
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    if (!key.startsWith('$')) continue;
    if (REFUSED.has(key))
      throw new ConnectorError(fault, `In "${at}": "${key}" is code or a reference, which is not supported`);
    const decode = Object.hasOwn(DECODERS, key) ? DECODERS[key] : undefined;
    if (decode === undefined) continue;
    try {
      requireAlone(record, key);
      return decode(record[key], record);
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      throw new ConnectorError(fault, `In "${at}": ${error.message}`);
    }
  }
  return Object.fromEntries(
    Object.entries(record).flatMap(([key, item]) =>
      // The client would write null for what is absent.
      item === undefined
        ? []
        : [[decoded(key, at, fault, 1), decoded(item, `${at}.${key}`, fault, depth - 1)]],
    ),
  );
}

function requireAlone(record: Record<string, unknown>, key: string): void {
  const others = Object.keys(record).filter(
    (other) => other !== key && !(key === '$binary' && other === '$type'),
  );
  if (others.length > 0) throw new ValueProblem(`"${key}" stands beside "${others[0]}"`);
}

/** A whole number beyond 32 bits as one of 64: as a double it would be of another type. */
export function intAsLong(value: number): number | Long {
  return Number.isSafeInteger(value) && (value > 2_147_483_647 || value < -2_147_483_648)
    ? Long.fromNumber(value)
    : value;
}

/** A decimal that is exact; null for a text that is none, or has more than 34 digits. */
export function exactDecimal(text: string): Decimal128 | null {
  try {
    return Decimal128.fromString(text);
  } catch {
    return null;
  }
}

/** The instant of a text of RFC 3339, to the millisecond; null where it is none, or does not exist. */
export function instantOf(text: string): Date | null {
  const match = TIME.exec(text);
  if (match === null) return null;
  const [day = ''] = [match[1]];
  const midnight = new Date(`${day}T00:00:00Z`);
  const time = new Date(text);
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return exists && !Number.isNaN(time.getTime()) ? time : null;
}

function dateOf(value: unknown): Date {
  const found =
    typeof value === 'string'
      ? instantOf(value)
      : isRecord(value) && Object.keys(value).length === 1
        ? new Date(Number(intOf('$date', value['$numberLong'])))
        : null;
  if (found !== null && !Number.isNaN(found.getTime())) return found;
  throw new ValueProblem(
    '"$date" takes a time that exists, with its zone, such as "2026-01-31T12:00:00Z", or {"$numberLong": "<milliseconds>"}',
  );
}

function intOf(key: string, value: unknown): bigint {
  const text = typeof value === 'string' && /^-?\d{1,19}$/.test(value) ? value : null;
  const int = text === null ? null : BigInt(text);
  if (int !== null && int <= INT64_MAX && int >= -INT64_MAX - 1n) return int;
  throw new ValueProblem(
    key === '$date'
      ? '"$date" takes milliseconds as {"$numberLong": "…"}'
      : `"${key}" takes the text of a whole number`,
  );
}

function binaryOf(value: unknown, whole: Record<string, unknown>): Binary {
  const { base64, subType = '00' } = isRecord(value)
    ? value
    : { base64: value, subType: whole['$type'] ?? '00' };
  const bytes = typeof base64 === 'string' ? strictBytes(base64) : null;
  if (bytes === null || typeof subType !== 'string' || !/^[0-9a-f]{1,2}$/i.test(subType))
    throw new ValueProblem('"$binary" takes {"base64": …, "subType": "00"}');
  return new Binary(bytes, Number.parseInt(subType, 16));
}

/** A document of a read without promotion as Extended JSON in its canonical form, which keeps every type. */
export function toExtended(document: unknown): unknown {
  return EJSON.serialize(document as object, { relaxed: false });
}
