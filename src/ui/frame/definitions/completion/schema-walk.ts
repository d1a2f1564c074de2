import { isRow } from '../../records/row.ts';
import type { YamlLevel } from './yaml-place.ts';

/** A JSON Schema, or a part of one, as the server publishes it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface SchemaKey {
  readonly name: string;
  readonly description: string | null;
  readonly isRequired: boolean;
  /** What its value may be; of several the first. */
  readonly value: unknown;
}

/** All schemas that hold at the innermost level: those of cases that the entries exclude are left out. */
export function schemasAt(root: Schema, levels: readonly YamlLevel[]): readonly Schema[] {
  const [document, ...inner] = levels;
  let found = expanded(root, [root], document?.entries ?? new Map());
  for (const { step, entries } of inner)
    found = expanded(
      root,
      found.flatMap((schema) => (step === null ? itemsOf(schema) : valuesOf(schema, step))),
      entries,
    );
  return found;
}

/** The keys that a map may have, each once. */
export function keysOf(schemas: readonly Schema[]): readonly SchemaKey[] {
  const keys = new Map<string, SchemaKey>();
  for (const schema of schemas) {
    const required = Array.isArray(schema['required']) ? schema['required'] : [];
    for (const [name, value] of Object.entries(recordOf(schema['properties']))) {
      if (value === false) continue;
      const known = keys.get(name);
      const description = known?.description ?? textOf(recordOf(value)['description']);
      keys.set(name, {
        name,
        description,
        isRequired: known?.isRequired === true || required.includes(name),
        value: known?.value ?? value,
      });
    }
  }
  return [...keys.values()];
}

/** The values that a key may have, where they are few. */
export function choicesOf(root: Schema, schemas: readonly Schema[], key: string): readonly string[] {
  const values = expanded(
    root,
    schemas.flatMap((schema) => valuesOf(schema, key)),
    new Map(),
  ).flatMap((schema) => {
    if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[];
    if (schema['const'] !== undefined) return [schema['const']];
    const types = [schema['type']].flat();
    return types.includes('boolean') ? [true, false] : [];
  });
  return [...new Set(values.filter((value) => value !== null).map(String))];
}

/** What one value of a key means: the words of the case that it chooses. */
export function describeChoice(
  root: Schema,
  schemas: readonly Schema[],
  key: string,
  value: string,
): string | null {
  for (const schema of schemas)
    for (const part of casesOf(schema)) {
      const { if: condition = part, then: chosen = part } = part;
      const { enum: values, const: only } = recordOf(recordOf(recordOf(condition)['properties'])[key]);
      if (![values, only].flat().map(String).includes(value)) continue;
      const words = expanded(root, [recordOf(chosen)], new Map()).map(({ description }) => description);
      const text = textOf(words.find((description) => textOf(description) !== null));
      if (text !== null) return text;
    }
  return null;
}

function casesOf(schema: Schema): readonly Schema[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((word) => {
    const parts = schema[word];
    return Array.isArray(parts) ? parts.filter(isRow) : [];
  });
}

/** What the value of a key is written as: below it as a list or a map, where it can be nothing else, or beside it. */
export function shapeOf(root: Schema, value: unknown): 'list' | 'map' | 'scalar' {
  const variable = referred(root, '#/$defs/variable');
  const types = expanded(root, [recordOf(value)], new Map())
    .filter((schema) => schema !== variable)
    .flatMap((schema) => (schema['enum'] === undefined ? [schema['type']].flat() : ['string']));
  const only = (wanted: string) =>
    types.includes(wanted) && types.every((type) => type === undefined || type === 'null' || type === wanted);
  if (only('array')) return 'list';
  return only('object') ? 'map' : 'scalar';
}

/** What a key means. */
export function describe(root: Schema, schemas: readonly Schema[], key: string): string | null {
  const direct = schemas.flatMap((schema) => valuesOf(schema, key));
  for (const schema of [...direct, ...expanded(root, direct, new Map())]) {
    const text = textOf(schema['description']);
    if (text !== null) return text;
  }
  return null;
}

function valuesOf(schema: Schema, key: string): Schema[] {
  const own = recordOf(schema['properties'])[key];
  if (isRow(own)) return [own];
  const others = schema['additionalProperties'];
  return isRow(others) ? [others] : [];
}

function itemsOf(schema: Schema): Schema[] {
  const { items } = schema;
  return isRow(items) ? [items] : [];
}

const depthMax = 12;

/** The schemas with all that they refer to or are made of, as far as the entries of the map do not exclude it. */
function expanded(
  root: Schema,
  schemas: readonly Schema[],
  entries: ReadonlyMap<string, string>,
): readonly Schema[] {
  const found = new Set<Schema>();
  const visit = (schema: unknown, depth: number) => {
    if (!isRow(schema) || found.has(schema) || depth > depthMax) return;
    found.add(schema);
    if (typeof schema['$ref'] === 'string') visit(referred(root, schema['$ref']), depth + 1);
    for (const word of ['allOf', 'anyOf', 'oneOf'])
      for (const part of Array.isArray(schema[word]) ? schema[word] : [])
        if (word === 'allOf' || !isOfOtherValue(part, entries)) visit(part, depth + 1);
    if (schema['if'] === undefined) return;
    const holds = isTrueOf(schema['if'], entries);
    if (holds !== false) visit(schema['then'], depth + 1);
    if (holds !== true) visit(schema['else'], depth + 1);
  };
  for (const schema of schemas) visit(schema, 0);
  return [...found];
}

/** Whether a case of several is that of another value of a key than the one that is typed. */
function isOfOtherValue(part: unknown, entries: ReadonlyMap<string, string>): boolean {
  return Object.entries(recordOf(recordOf(part)['properties'])).some(([key, rule]) => {
    const value = recordOf(rule)['const'];
    const given = entries.get(key) ?? '';
    return value !== undefined && given !== '' && !given.startsWith('{{') && String(value) !== given;
  });
}

/** Whether the entries of a map fulfil a condition on few of its keys; undefined where that cannot be told. */
function isTrueOf(condition: unknown, entries: ReadonlyMap<string, string>): boolean | undefined {
  if (!isRow(condition)) return undefined;
  const required = Array.isArray(condition['required']) ? condition['required'] : [];
  if (required.some((key) => !entries.has(String(key)))) return false;
  for (const [key, rule] of Object.entries(recordOf(condition['properties']))) {
    const given = entries.get(key);
    if (given === undefined) continue;
    const { enum: values, const: value } = recordOf(rule);
    const allowed = Array.isArray(values) ? values : value === undefined ? null : [value];
    if (allowed === null) return undefined;
    if (!allowed.map(String).includes(given)) return false;
  }
  return Object.keys(condition).every((word) => word === 'required' || word === 'properties') || undefined;
}

function referred(root: Schema, path: string): unknown {
  let found: unknown = root;
  for (const part of path.replace(/^#\/?/, '').split('/').filter(Boolean)) found = recordOf(found)[part];
  return found;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRow(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
