import { isRecord } from '../../base/json.ts';
import type { Column, ColumnType } from '../driver.ts';

const BY_FORMAT: Readonly<Record<string, ColumnType>> = {
  date: 'date',
  time: 'time',
  'date-time': 'timestamp',
  'singer.decimal': 'decimal',
};

const BY_TYPE: Readonly<Record<string, ColumnType>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'json',
  array: 'json',
};

/** The columns of rows that a JSON Schema describes; empty where it names none. */
export function schemaColumns(schema: unknown, keys: readonly string[]): Column[] {
  const properties = isRecord(schema) ? schema['properties'] : null;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const types = typesOf(property);
    const given = types.filter((type) => type !== 'null');
    return {
      name,
      type: typeOf(property, given),
      nullable: given.length === 0 || given.length < types.length || !keys.includes(name),
      ...(given.length === 0 ? {} : { native_type: nativeType(property, given) }),
      ...(keys.includes(name) ? { key: true } : {}),
    };
  });
}

/** Also those of alternatives. */
function typesOf(property: unknown): string[] {
  if (!isRecord(property)) return [];
  const { type, anyOf, oneOf } = property;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  const parts = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return [...new Set(parts.flatMap(typesOf))];
}

function typeOf(property: unknown, given: readonly string[]): ColumnType {
  const [only] = given;
  if (given.length !== 1 || only === undefined) {
    const isNumeric = given.length > 0 && given.every((type) => type === 'integer' || type === 'number');
    return isNumeric ? 'number' : given.length === 0 ? 'unknown' : 'json';
  }
  const { airbyte_type: airbyteType, multipleOf } = isRecord(property) ? property : {};
  // Digits after the point that are counted are meant to be exact.
  if (only === 'number' && typeof multipleOf === 'number') return 'decimal';
  if (airbyteType === 'integer' || airbyteType === 'big_integer') return 'integer';
  if (airbyteType === 'big_number') return 'decimal';
  return (only === 'string' ? BY_FORMAT[formatOf(property)] : undefined) ?? BY_TYPE[only] ?? 'unknown';
}

function nativeType(property: unknown, given: readonly string[]): string {
  const format = formatOf(property);
  return format === '' ? given.join(' or ') : `${given.join(' or ')} (${format})`;
}

/** Of the property, or of one of its alternatives. */
function formatOf(property: unknown): string {
  if (!isRecord(property)) return '';
  const { format, anyOf, oneOf } = property;
  if (typeof format === 'string') return format;
  const parts = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return parts.map(formatOf).find((found) => found !== '') ?? '';
}
