import { ARGUMENT_TYPES } from '../task/argument-type.ts';
import {
  is,
  type JsonSchema,
  objectOf,
  type Properties,
  type SchemaKit,
  when,
  without,
} from './schema-kit.ts';

const JSON_TYPES: Readonly<Record<(typeof ARGUMENT_TYPES)[number], string>> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  object: 'object',
  array: 'array',
};

/** The keys with which tasks and job templates begin. */
export function headerSchemas(kit: SchemaKit, noun: string): Properties {
  return {
    version: { description: 'Of the language: 1.', const: 1 },
    name: {
      description: `What the ${noun} is called: one line.`,
      type: 'string',
      minLength: 1,
      maxLength: 200,
      pattern: '^(?!\\s)(?![\\s\\S]*\\s$)[^\\u0000-\\u001f\\u007f]+$',
    },
    description: kit.text(`What the ${noun} is for.`),
    labels: kit.entries('Names and texts to find it by.', { type: 'string' }),
  };
}

export function argumentsSchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    type: kit.oneOf('Type of the values.', ARGUMENT_TYPES),
    required: kit.flag('Whether a start must give it; false by default.'),
    default: { description: 'The value where a start gives none.' },
    description: kit.text('What the argument is for.'),
  };
  const rules = ARGUMENT_TYPES.map((type) =>
    when(is('type', type), { properties: { default: { type: [JSON_TYPES[type], 'null'] } } }),
  );
  const argument = objectOf('An argument.', properties, {
    required: ['type'],
    rules: [...rules, when(is('required', true), without('default'))],
  });
  return kit.entries('Arguments that a start may give, read as `args` in expressions.', argument, 'word');
}

export function retrySchema(kit: SchemaKit): JsonSchema {
  const properties: Properties = {
    max_attempts: kit.integer('Attempts, the first one counted; 1 for no retry.', 1, 100),
    delay: kit.duration('Before the second attempt.'),
    factor: kit.number('Each further delay is so many times the one before.', 1, 100),
    max_delay: kit.duration('The longest delay.'),
    jitter: kit.number('The part of the delay that is left to chance.', 0, 1),
  };
  return objectOf('What is done after a failure that may pass.', properties, {
    rules: [when(is('max_attempts', 1), without('delay', 'factor', 'max_delay', 'jitter'))],
  });
}

/** A connector's method and its arguments. */
export function methodSchema(kit: SchemaKit): JsonSchema {
  return kit.name('A method of the connector: `query`, `list`, `get` and others, by its type.', 'word');
}
