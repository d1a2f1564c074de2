import { isRecord } from '../../base/json.ts';

export type SchemaObject = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 12;
const TIME = '2026-01-15T12:00:00.000Z';

/** Meaningful values by the name of the property. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  code: 'TYPE',
  cron: '0 6 * * *',
  cursor: 'opaque',
  description: 'Every night, before the figures are read',
  email: 'ada@example.com',
  fingerprint: '9f2c41d07ab3e856',
  instance_id: '0b9c5f1e-7a34-4d0e-9b1c-2f6a8e3d5c70',
  kind: 'extract',
  level: 'info',
  message: 'Read 10,000 rows',
  name: 'Nightly import',
  password: 'correct horse battery staple',
  q: 'order',
  reason: 'manual',
  resource: 'public.orders',
  search: 'order',
  step_id: 'read',
  task_key: 'orders',
  timezone: 'Europe/Berlin',
  type: 'postgres',
  version: 3,
  widget_id: 'by_day',
};

/**
 * A value that a JSON Schema allows, for the document's examples: the schema's own example where it has one, else made from
 * types and names. `resolve` returns the schema of a `$ref`.
 */
export function exampleOf(schema: unknown, resolve: (ref: string) => unknown, name = '', depth = 0): unknown {
  if (!isRecord(schema) || depth > DEPTH_MAX) return {};
  const next = (inner: unknown, innerName = name) => exampleOf(inner, resolve, innerName, depth + 1);
  if (typeof schema['$ref'] === 'string') return next(resolve(schema['$ref']));
  const given = givenExample(schema);
  if (given !== undefined) return given;
  const options = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'];
  if (Array.isArray(options)) return next(options.find((option) => !isNull(option)) ?? options[0]);
  const type = Array.isArray(schema['type']) ? schema['type'][0] : schema['type'];
  if (type === 'object') {
    const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
    return Object.fromEntries(properties.map(([key, inner]) => [key, next(inner, key)]));
  }
  if (type === 'array') return isRecord(schema['items']) ? [next(schema['items'])] : [];
  return plainExample(type, schema, name);
}

function givenExample(schema: SchemaObject): unknown {
  const list = schema['examples'] ?? schema['enum'];
  if (Array.isArray(list)) return list[0];
  return schema['example'] ?? schema['const'] ?? schema['default'];
}

function isNull(schema: unknown): boolean {
  return isRecord(schema) && schema['type'] === 'null';
}

function plainExample(type: unknown, schema: SchemaObject, name: string): unknown {
  const known = BY_NAME[name];
  if (type === 'string') {
    if (typeof known === 'string') return known;
    return schema['format'] === 'date-time' || name.endsWith('_at') ? TIME : name || 'text';
  }
  if (type === 'integer' || type === 'number') {
    if (typeof known === 'number') return known;
    return Math.max(7, Number(schema['minimum'] ?? 0));
  }
  if (type === 'boolean') return true;
  return type === 'null' ? null : {};
}
