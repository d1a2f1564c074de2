import { Decimal128, Long, ObjectId, UUID } from 'mongodb';
import { isRecord } from '../../../base/json.ts';
import { type Conditions, ConnectorError } from '../../driver.ts';
import { exactDecimal, fromExtended, instantOf, intAsLong } from '../values/extended-json.ts';
import { readFilter } from './guard.ts';

type Document = Record<string, unknown>;

const conditionsMax = 100;
const valuesMax = 1_000;
const depthMax = 8;
const COMPARISONS: Readonly<Record<string, string>> = { gt: '$gt', gte: '$gte', lt: '$lt', lte: '$lte' };
const CANONICAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const INT64 = 2n ** 63n;
/** No document matches. */
const NONE: Document = { _id: { $in: [] } };

/** Filters joined by AND; without any, the one that all match. */
export function allOf(filters: readonly Document[]): Document {
  const given = filters.filter((filter) => Object.keys(filter).length > 0);
  return given.length > 1 ? { $and: given } : (given[0] ?? {});
}

/**
 * Conditions per field, as other connectors have them, as a filter of MongoDB; see `Conditions`. A text is compared with texts, and with
 * the ids, times and numbers that travel as this text. Under `$and` are filters of MongoDB. Throws `CONFIG` for an unknown operator.
 */
export function conditionFilter(conditions: Conditions): Document {
  const filters: Document[] = [];
  for (const [field, wanted] of Object.entries(conditions)) {
    if (field === '$and' && Array.isArray(wanted))
      filters.push(...wanted.map((filter) => readFilter(filter)));
    else addConditions(field, wanted, filters, depthMax);
  }
  return allOf(filters);
}

function addConditions(field: string, wanted: unknown, into: Document[], depth: number): void {
  if (field === '' || field.startsWith('$') || field.includes('\0'))
    throw new ConnectorError('CONFIG', `"${field.slice(0, 60)}" is not the name of a field`);
  const isValue = !isRecord(wanted) || Object.keys(wanted).some((key) => key.startsWith('$'));
  const operators = isValue ? [['eq', wanted] as const] : Object.entries(wanted);
  if (operators.length === 0) throw new ConnectorError('CONFIG', `The filter on "${field}" has no operator`);
  for (const [operator, value] of operators) {
    if (operator === 'and') {
      if (!Array.isArray(value) || value.length === 0 || depth === 0)
        throw new ConnectorError(
          'CONFIG',
          `The operator "and" on "${field}" takes a list of conditions, up to ${depthMax} deep`,
        );
      for (const item of value) addConditions(field, item, into, depth - 1);
    } else if (operator === 'or_null') into.push(orNull(field, value, depth));
    else into.push(condition(field, operator, value));
    if (into.length > conditionsMax)
      throw new ConnectorError('CONFIG', `A filter has at most ${conditionsMax} conditions`);
  }
}

function orNull(field: string, value: unknown, depth: number): Document {
  if (!isRecord(value) || depth === 0)
    throw new ConnectorError('CONFIG', `The operator "or_null" on "${field}" takes a condition`);
  const inner: Document[] = [];
  addConditions(field, value, inner, depth - 1);
  return { $or: [allOf(inner), { [field]: null }] };
}

function condition(field: string, operator: string, value: unknown): Document {
  switch (operator) {
    case 'eq':
      return value === null ? { [field]: null } : among(field, spellings(field, value));
    case 'ne':
      // As in SQL, what has no value is not unlike anything.
      return { [field]: { $nin: value === null ? [null] : [...spellings(field, value), null] } };
    case 'in':
      return inCondition(field, value);
    case 'contains':
      if (typeof value === 'string') return { [field]: { $regex: escaped(value), $options: 'i' } };
      throw new ConnectorError('CONFIG', `The operator "contains" on "${field}" takes a text`);
    case 'is_null':
      if (typeof value === 'boolean') return { [field]: value ? null : { $ne: null } };
      throw new ConnectorError('CONFIG', `The operator "is_null" on "${field}" takes true or false`);
    default: {
      const comparison = COMPARISONS[operator];
      if (comparison === undefined)
        throw new ConnectorError(
          'CONFIG',
          `The filter on "${field}" has the unknown operator "${operator}"; use eq, ne, gt, gte, lt, lte, in, contains, is_null, and or or_null`,
        );
      const each = spellings(field, value).map((one) => ({ [field]: { [comparison]: one } }));
      return each.length > 1 ? { $or: each } : (each[0] ?? NONE);
    }
  }
}

function among(field: string, values: readonly unknown[]): Document {
  return { [field]: values.length === 1 ? values[0] : { $in: values } };
}

function inCondition(field: string, value: unknown): Document {
  if (!Array.isArray(value) || value.length > valuesMax)
    throw new ConnectorError(
      'CONFIG',
      `The operator "in" on "${field}" takes a list of at most ${valuesMax} values`,
    );
  return { [field]: { $in: value.flatMap((item) => (item === null ? [null] : spellings(field, item))) } };
}

/** The values of the database that travel as this one. */
export function spellings(field: string, value: unknown): readonly unknown[] {
  switch (typeof value) {
    case 'boolean':
      return [value];
    case 'number':
      return [intAsLong(value)];
    case 'bigint':
      return [
        value >= -INT64 && value < INT64 ? Long.fromBigInt(value) : Decimal128.fromString(String(value)),
      ];
    case 'string':
      return [value, ...fromText(value)];
    default: {
      const read = fromExtended(value, field);
      if (read !== null && typeof read === 'object' && ('_bsontype' in read || read instanceof Date))
        return [read];
      throw new ConnectorError('CONFIG', `The filter on "${field}" takes a text, a number or true or false`);
    }
  }
}

function fromText(text: string): readonly unknown[] {
  if (/^[0-9a-f]{24}$/.test(text)) return [new ObjectId(text)];
  if (text.length === 36 && UUID.isValid(text)) return [new UUID(text)];
  const time = instantOf(text.length === 10 ? `${text}T00:00:00Z` : text);
  if (time !== null) return [time];
  if (!CANONICAL.test(text) || text.length > 40) return [];
  if (/^-?\d{1,19}$/.test(text)) {
    const whole = BigInt(text);
    if (whole >= -INT64 && whole < INT64) return [Long.fromBigInt(whole)];
  }
  const decimal = exactDecimal(text);
  return decimal === null ? [] : [decimal];
}

/** A text as a regular expression that matches it alone. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
