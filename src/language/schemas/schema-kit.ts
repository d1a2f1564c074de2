import type { NameKind } from '../yaml/map-reader.ts';

/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;
export type Properties = Readonly<Record<string, JsonSchema>>;

export interface ObjectRules {
  /** Keys that must have a value. All others may stand without one, as `key:` does in YAML. */
  readonly required?: readonly string[];
  /** Keys that may be left out, and once they are named must have a value. */
  readonly neverEmpty?: readonly string[];
  /** Rules between keys. */
  readonly rules?: readonly JsonSchema[];
}

/** The getters of `MapReader` as schemas: what the one reads, the other describes. The first argument is the text that editors show. */
export interface SchemaKit {
  /** What the schemas refer to: for the document's `$defs`. */
  readonly definitions: Properties;
  text(words: string, rules?: { readonly required?: boolean; readonly charsMax?: number }): JsonSchema;
  name(words: string, kind: NameKind): JsonSchema;
  flag(words: string): JsonSchema;
  number(words: string, min?: number, max?: number): JsonSchema;
  integer(words: string, min: number, max: number): JsonSchema;
  duration(words: string): JsonSchema;
  oneOf(words: string, choices: readonly string[]): JsonSchema;
  /** A text of this form. */
  form(words: string, pattern: string, charsMax?: number): JsonSchema;
  /** A bare expression, without braces. */
  expression(words: string): JsonSchema;
  list(
    words: string,
    items: JsonSchema,
    bounds?: { readonly min?: number; readonly max?: number },
  ): JsonSchema;
  /** Different texts, or names. */
  names(words: string, kind?: NameKind): JsonSchema;
  /** A map whose keys are the author's. */
  entries(words: string, value: JsonSchema, kind?: NameKind): JsonSchema;
  /** A map of any content, in whose texts `{{ expression }}` may stand. */
  anyMap(words: string): JsonSchema;
}

const LIST_MAX = 1_000;
const TEXT_CHARS_MAX = 10_000;
const UNSAFE = '(?!(?:__proto__|constructor|prototype)$)';
const NAME_PATTERNS: Readonly<Record<NameKind, string>> = {
  word: `^${UNSAFE}[A-Za-z_][A-Za-z0-9_]*$`,
  key: `^${UNSAFE}[A-Za-z0-9_-]+$`,
};
const NAME_CHARS_MAX = 100;
const NULL: JsonSchema = { type: 'null' };

/** A variable that is not put in yet stands for a value of any type. */
const VARIABLE: JsonSchema = {
  title: 'A variable',
  description: `A text with \${NAME}: the argument of that name is put in when a job is created.`,
  type: 'string',
  pattern: '(?:^|[^$])\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}',
};

const EXPRESSION: JsonSchema = {
  title: 'An expression',
  description: 'JSONata, without "{{" and "}}".',
  type: ['string', 'number', 'boolean'],
  not: { type: 'string', pattern: '^\\s*\\{\\{[\\s\\S]*\\}\\}\\s*$' },
};

/** `variables`: for a document in which `${NAME}` may stand for a value of any type. */
export function createSchemaKit({ variables }: { readonly variables: boolean }): SchemaKit {
  const orVariable = (words: string, schema: JsonSchema): JsonSchema =>
    variables
      ? { description: words, anyOf: [schema, { $ref: '#/$defs/variable' }] }
      : { description: words, ...schema };
  const nameSchema = (kind: NameKind): JsonSchema => ({
    type: 'string',
    maxLength: NAME_CHARS_MAX,
    pattern: NAME_PATTERNS[kind],
  });
  return {
    definitions: { expression: EXPRESSION, ...(variables ? { variable: VARIABLE } : {}) },
    text: (words, { required = false, charsMax = TEXT_CHARS_MAX } = {}) =>
      orVariable(words, {
        type: 'string',
        maxLength: charsMax,
        ...(required ? { pattern: '\\S' } : {}),
      }),
    name: (words, kind) => orVariable(words, nameSchema(kind)),
    flag: (words) => orVariable(words, { type: 'boolean' }),
    number: (words, min, max) =>
      orVariable(words, {
        type: 'number',
        ...(min === undefined ? {} : { minimum: min }),
        ...(max === undefined ? {} : { maximum: max }),
      }),
    integer: (words, min, max) => orVariable(words, { type: 'integer', minimum: min, maximum: max }),
    duration: (words) =>
      orVariable(`${words} A duration: 30s, 5m, 2h or 1d.`, {
        type: 'string',
        pattern: '^\\d{1,9}(?:\\.\\d{1,3})?[smhd]$',
      }),
    oneOf: (words, choices) => orVariable(words, { enum: [...choices] }),
    form: (words, pattern, charsMax = TEXT_CHARS_MAX) =>
      orVariable(words, { type: 'string', maxLength: charsMax, pattern }),
    expression: (words) => ({ description: words, $ref: '#/$defs/expression' }),
    list: (words, items, { min, max = LIST_MAX } = {}) =>
      orVariable(words, {
        type: 'array',
        items,
        maxItems: max,
        ...(min === undefined ? {} : { minItems: min }),
      }),
    names: (words, kind) =>
      orVariable(words, {
        type: 'array',
        items: kind === undefined ? { type: 'string', minLength: 1 } : nameSchema(kind),
        uniqueItems: true,
        maxItems: LIST_MAX,
      }),
    entries: (words, value, kind) =>
      orVariable(words, {
        type: 'object',
        additionalProperties: value,
        ...(kind === undefined ? {} : { propertyNames: nameSchema(kind) }),
      }),
    anyMap: (words) => orVariable(words, { type: 'object' }),
  };
}

/** A map with these keys and no others. */
export function objectOf(
  words: string,
  properties: Properties,
  { required = [], neverEmpty = [], rules = [] }: ObjectRules = {},
): JsonSchema {
  const described = Object.entries(properties).map(([key, schema]) => [
    key,
    required.includes(key) || neverEmpty.includes(key) ? schema : orNull(schema),
  ]);
  return {
    description: words,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(described),
    ...(required.length > 0 ? { required: [...required] } : {}),
    ...(rules.length > 0 ? { allOf: [...rules] } : {}),
  };
}

/** `key:` with nothing after it counts as absent. */
function orNull(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  if (typeof rest['type'] === 'string' && rest['enum'] === undefined && rest['allOf'] === undefined)
    return { ...schema, type: [rest['type'], 'null'] };
  if (Array.isArray(rest['anyOf'])) return { ...schema, anyOf: [...(rest['anyOf'] as unknown[]), NULL] };
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, NULL] };
}

/** Holds where the key has a value. */
export function has(key: string): JsonSchema {
  return { required: [key], properties: { [key]: { not: NULL } } };
}

/** Holds where the key has one of these values. */
export function is(key: string, ...values: readonly unknown[]): JsonSchema {
  return { required: [key], properties: { [key]: { enum: [...values] } } };
}

/** These keys have no value here: they could not act. */
export function without(...keys: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(keys.map((key) => [key, NULL])) };
}

export function atMostOne(...keys: readonly string[]): readonly JsonSchema[] {
  return keys.flatMap((key, index) =>
    keys.slice(index + 1).map((other) => ({ not: { allOf: [has(key), has(other)] } })),
  );
}

/** `keys` act only beside one of `others`. */
export function onlyBeside(keys: readonly string[], others: readonly string[]): JsonSchema {
  return when({ not: { anyOf: others.map(has) } }, without(...keys));
}

export function when(condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}

/** The schemas of `keys`, in their order. Throws for a key without one: a reader has a key that no schema describes. */
export function pickSchemas(of: string, keys: readonly string[], known: Properties): Properties {
  return Object.fromEntries(
    keys.map((key) => {
      const schema = Object.hasOwn(known, key) ? known[key] : undefined;
      if (schema === undefined) throw new Error(`There is no schema for "${key}" of ${of}`);
      return [key, schema];
    }),
  );
}
