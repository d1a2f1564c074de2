/** JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The kind of document that a schema is made for. */
export interface SchemaOptions {
  /** `${NAME}` may stand for a value of any type: so it is in dashboards. */
  readonly variables: boolean;
}

const NULL: JsonSchema = { type: 'null' };

const EXPRESSION: JsonSchema = {
  title: 'An expression',
  description: 'JSONata, without "{{" and "}}".',
  type: ['string', 'number', 'boolean'],
  not: { type: 'string', pattern: '^\\s*\\{\\{[\\s\\S]*\\}\\}\\s*$' },
};

const VARIABLE: JsonSchema = {
  title: 'A variable',
  description: `Text with \${NAME}: replaced by the argument with that name when a job is created.`,
  type: 'string',
  pattern: '(?:^|[^$])\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}',
};

/** What every document's schemas refer to: for its `$defs`. */
export function commonDefinitions({ variables }: SchemaOptions): Readonly<Record<string, JsonSchema>> {
  return { expression: EXPRESSION, ...(variables ? { variable: VARIABLE } : {}) };
}

export function orVariable({ variables }: SchemaOptions, schema: JsonSchema): JsonSchema {
  return variables ? { anyOf: [schema, { $ref: '#/$defs/variable' }] } : schema;
}

/** `key:` with nothing after it counts as absent. */
export function orNull(schema: JsonSchema): JsonSchema {
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

export function when(condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  return { if: condition, then, ...(otherwise === undefined ? {} : { else: otherwise }) };
}
