import { type Binary, BSON, type Decimal128, type Long, type ObjectId } from 'mongodb';
import { plainDecimal } from '../../../base/text/plain-decimal.ts';
import { ConnectorError } from '../../driver.ts';

const UUID_SUBTYPES: ReadonlySet<number> = new Set([3, 4]);
const UUID_BYTES = 16;

/** What a value is, as far as columns tell values apart. `long` is beyond 2^53 and travels as text. */
export type Kind =
  | 'nothing'
  | 'boolean'
  | 'integer'
  | 'long'
  | 'number'
  | 'odd_number'
  | 'string'
  | 'time'
  | 'decimal'
  | 'id'
  | 'uuid'
  | 'binary'
  | 'json';

export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : Number.isFinite(value) ? 'number' : 'odd_number';
    case 'boolean':
      return 'boolean';
    case 'object':
      return value === null ? 'nothing' : kindOfObject(value);
    default:
      return 'nothing';
  }
}

function kindOfObject(value: object): Kind {
  if (value instanceof Date) return 'time';
  switch ((value as { _bsontype?: unknown })._bsontype) {
    case 'ObjectId':
      return 'id';
    case 'Long':
      return 'long';
    case 'Decimal128':
      return 'decimal';
    case 'Binary':
      return isUuid(value as Binary) ? 'uuid' : 'binary';
    default:
      return 'json';
  }
}

function isUuid({ sub_type: type, position }: Binary): boolean {
  return UUID_SUBTYPES.has(type) && position === UUID_BYTES;
}

/** A time as RFC 3339. Throws `DATA` for one beyond the years that a `Date` has, of which nothing else is known. */
export function timeText(value: Date): string {
  if (!Number.isNaN(value.getTime())) return value.toISOString();
  throw new ConnectorError('DATA', 'A date is more than 270,000 years away; read it with "values: extended"');
}

/**
 * A value as JSON for people: ids, UUIDs, decimals, times, integers beyond 2^53 and numbers that JSON lacks as text, bytes as base64.
 * What has no such form, such as a regular expression, is Extended JSON.
 */
export function plainValue(value: unknown): unknown {
  switch (kindOf(value)) {
    case 'nothing':
      return null;
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return value;
    case 'odd_number':
      return String(value);
    case 'time':
      return timeText(value as Date);
    case 'id':
      return (value as ObjectId).toHexString();
    case 'uuid':
      return uuidText(value as Binary);
    case 'binary':
      return (value as Binary).toString('base64');
    case 'long':
      return plainLong(value as Long);
    case 'decimal':
      return plainDecimal((value as Decimal128).toString());
    case 'json':
      return plainObject(value as object);
  }
}

/** With promotion only what is beyond 2^53 comes as an object. */
function plainLong(value: Long): unknown {
  const near = value.toNumber();
  return Number.isSafeInteger(near) ? near : value.toString();
}

export function uuidText(value: Binary): string {
  const hex = Buffer.from(value.buffer).subarray(0, UUID_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function plainObject(value: object): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  if ('_bsontype' in value || value instanceof RegExp) return BSON.EJSON.serialize(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainValue(item)]));
}
