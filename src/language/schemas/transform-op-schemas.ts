import type { CastType, Op } from '../task/task.ts';
import type { JsonSchema, SchemaKit } from './schema-kit.ts';

const CAST_TYPES: readonly CastType[] = [
  'string',
  'integer',
  'number',
  'decimal',
  'boolean',
  'date',
  'time',
  'timestamp',
  'json',
];

/** `ops` of a transform: maps of one operation each. */
export function opsSchema(kit: SchemaKit): JsonSchema {
  const fields = (words: string): JsonSchema => ({
    description: words,
    type: 'object',
    minProperties: 1,
    additionalProperties: { anyOf: [{ $ref: '#/$defs/expression' }, { type: 'null' }] },
  });
  const properties: Readonly<Record<Op['op'], JsonSchema>> = {
    filter: kit.expression('Keeps the rows for which this is true; they are read as `item`.'),
    map: fields('Makes each row anew: field to expression.'),
    set: fields('Sets fields, and keeps the others: field to expression.'),
    rename: {
      description: 'Fields to their new names.',
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'string' },
    },
    drop: { ...kit.names('Takes these fields away.'), minItems: 1 },
    cast: {
      description: 'Fields to types.',
      type: 'object',
      minProperties: 1,
      additionalProperties: { enum: [...CAST_TYPES] },
    },
    mapping: kit.name(
      'Maps fields by the rows of this `field_mapping` entry of the job’s configuration.',
      'key',
    ),
  };
  const op: JsonSchema = {
    title: 'An operation',
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties,
  };
  return kit.list('Operations, in the order in which they act.', op, { min: 1, max: 100 });
}
