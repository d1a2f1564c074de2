import { isRecord } from '../../../base/json.ts';
import { sharedShapes } from './shared-shapes.ts';

/** Sections that the model does not decide about. */
const UNDECIDED = { task: ['metrics'], 'job-template': [], dashboard: [] } as const;
export type Written = keyof typeof UNDECIDED;

/**
 * The schema of a kind of document as JSON text, made at its first use and kept in `made`. The language is loaded here: it is large, and the
 * server works without it.
 */
export async function schemaText(kind: Written, made: Map<Written, string>): Promise<string> {
  const known = made.get(kind);
  if (known !== undefined) return known;
  const { publishedSchema } = await import('../../../language/published-schemas.ts');
  const schema = compactSchema(publishedSchema(kind));
  if (isRecord(schema) && isRecord(schema['properties']))
    for (const section of UNDECIDED[kind]) delete schema['properties'][section];
  const text = JSON.stringify(isRecord(schema) ? sharedShapes(schema) : schema);
  made.set(kind, text);
  return text;
}

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
    else if (key === 'anyOf' && Array.isArray(value))
      Object.assign(compact, alternatives(value, schema['description']));
    else if (key === 'allOf' && Array.isArray(value)) Object.assign(compact, references(value));
    else if (!LEFT_OUT.has(key)) compact[key] = compactSchema(value);
  }
  return compact;
}

/** What an alternative says of itself only where its key does not say the same. */
function alternatives(schemas: readonly unknown[], told: unknown): object {
  const rest = schemas
    .filter((schema) => !(isRecord(schema) && schema['type'] === 'null'))
    .map(compactSchema)
    .map((schema) => {
      if (!isRecord(schema) || schema['description'] !== told) return schema;
      const { description: _, ...own } = schema;
      return own;
    });
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
