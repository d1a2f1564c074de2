import { isRecord } from '../../base/json.ts';

/** Keys with rules that the validator explains well enough when they are broken. */
const LEFT_OUT = new Set([
  '$schema',
  '$id',
  'title',
  'pattern',
  'propertyNames',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'additionalProperties',
  'not',
]);
/** Maps from names to schemas: their keys are names, whatever they are called. */
const NAME_MAPS = new Set(['properties', '$defs']);

/** A JSON Schema reduced for a model: fewer tokens, the same keys, types, values and descriptions. */
export function compactSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(compactSchema);
  if (!isRecord(schema)) return schema;
  const compact: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (NAME_MAPS.has(key) && isRecord(value)) compact[key] = mapValues(value, compactSchema);
    else if (key === 'additionalProperties' && isRecord(value)) compact[key] = compactSchema(value);
    else if (key === 'type' && Array.isArray(value)) compact[key] = withoutNull(value);
    else if (key === 'anyOf' && Array.isArray(value)) Object.assign(compact, alternatives(value));
    else if (key === 'allOf' && Array.isArray(value)) Object.assign(compact, references(value));
    else if (!LEFT_OUT.has(key)) compact[key] = compactSchema(value);
  }
  return compact;
}

function alternatives(schemas: readonly unknown[]): object {
  const rest = schemas
    .filter((schema) => !(isRecord(schema) && schema['type'] === 'null'))
    .map(compactSchema);
  return rest.length === 1 && isRecord(rest[0]) ? rest[0] : { anyOf: rest };
}

/** Conditions that lead to a definition say which keys there are; the others are rules for the validator. */
function references(schemas: readonly unknown[]): object {
  const kept = schemas.filter(
    (schema) => isRecord(schema) && isRecord(schema['then']) && '$ref' in schema['then'],
  );
  return kept.length === 0 ? {} : { allOf: kept };
}

function withoutNull(types: readonly unknown[]): unknown {
  const rest = types.filter((type) => type !== 'null');
  return rest.length === 1 ? rest[0] : rest;
}

function mapValues(map: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
