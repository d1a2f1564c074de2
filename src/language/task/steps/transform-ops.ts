import { isRecord } from '../../../base/json.ts';
import { expression } from '../../declare/expressions.ts';
import type { JsonSchema, SchemaOptions } from '../../declare/json-schema.ts';
import { declare, type Keys, special, type Value, type ValuesOf } from '../../declare/value.ts';
import { name, names, texts } from '../../declare/values.ts';
import { readExpression } from '../../yaml/expression-reader.ts';
import { MapReader, readMap } from '../../yaml/map-reader.ts';
import { ITEM_NAMES } from '../../yaml/scope-names.ts';
import { didYouMean } from '../../yaml/suggest-name.ts';
import type { Path } from '../../yaml/yaml-path.ts';
import { CAST } from '../cast-rule.ts';

const RENAMES = texts('');
const OPS_MAX = 100;
const OPS_LATER = ['flatten', 'unnest', 'dedupe', 'lookup', 'validate', 'aggregate', 'join'];

/** Each operation under its name, as in the map `{<op>: <value>}`; reading one gives its fields. */
const OP_VALUES = {
  filter: as(
    'expr',
    expression('Keeps the rows for which this is true. It reads the row as `item`.', ITEM_NAMES, {
      required: true,
    }),
  ),
  map: as(
    'fields',
    expressions(
      'Builds each row anew from fields written as `field: expression`; they read the row as `item`.',
    ),
  ),
  set: as(
    'fields',
    expressions(
      'Sets fields written as `field: expression`, and keeps the others; they read the row as `item`.',
    ),
  ),
  rename: as(
    'fields',
    fieldMap('Renames fields, written as `old_name: new_name`.', { type: 'string' }, readRenames),
  ),
  drop: as('fields', nonEmpty(names('Removes these fields.', { min: 1, default: [] }))),
  cast: as(
    'fields',
    fieldMap(
      'Converts fields, written as `field: type` or `field: {type, format, locale, zone}`.',
      CAST.schema,
      readCasts,
    ),
  ),
  mapping: as(
    'configKey',
    name('Maps fields by the rows of this `field_mapping` entry of the job’s configuration.', 'key', {
      required: true,
    }),
  ),
} satisfies Keys;

type OpName = keyof typeof OP_VALUES;
type OpFields = ValuesOf<typeof OP_VALUES>;

/** One operation of a `transform`; each takes rows and gives rows. The transforms of a `mapping` compile at run start. */
export type Op = { readonly [N in OpName]: { readonly op: N } & OpFields[N] }[OpName];

/** `ops`: a list of maps with one operation each, in the order in which they act. */
export const OPS = declare<readonly Op[], { readonly required: true }>(
  'Operations, in the order in which they act.',
  {
    note: '',
    schema: (options) => ({
      type: 'array',
      items: {
        title: 'An operation',
        type: 'object',
        additionalProperties: false,
        minProperties: 1,
        maxProperties: 1,
        properties: Object.fromEntries(
          Object.entries(OP_VALUES).map(([op, value]) => [op, value.schema(options)]),
        ),
      },
      maxItems: OPS_MAX,
      minItems: 1,
    }),
    read: (reader, key) => {
      const list = reader.list(key, { required: true, max: OPS_MAX });
      if (list?.length === 0) reader.wrong(key, `"${key}" must not be empty`);
      return (list ?? []).flatMap((item, index) => readOp(reader, item, reader.at(key, index)) ?? []);
    },
    empty: [],
  },
  { required: true },
);

function readOp({ check }: MapReader, item: unknown, path: Path): Op | null {
  const [op, ...others] = isRecord(item) ? Object.keys(item) : [];
  if (op === undefined || others.length > 0) {
    check.add(path, 'An operation is a map with one key, such as "filter"; put each in its own list item');
    return null;
  }
  const known = Object.keys(OP_VALUES);
  if (!known.includes(op)) {
    const hint = didYouMean(op, known) || `; there are ${known.join(', ')}`;
    const message = OPS_LATER.includes(op)
      ? `"${op}" operations are not supported by this version`
      : `Unknown operation "${op}"${hint}`;
    check.add([...path, op], message, 'key');
    return null;
  }
  const reader = readMap(check, item, path, { keys: known });
  return reader === null ? null : ({ op, ...OP_VALUES[op as OpName].read(reader, op) } as Op);
}

/** The value as one field of an operation. */
function as<F extends string, T>(field: F, value: Value<T>): Value<{ readonly [N in F]: T }> {
  const read = (op: MapReader, key: string) => ({ [field]: value.read(op, key) }) as { [N in F]: T };
  return { ...value, read };
}

function nonEmpty<T>(value: Value<T>): Value<T> {
  const read = (op: MapReader, key: string) => {
    const given = op.value(key);
    const empty = given === null || (typeof given === 'object' && Object.keys(given).length === 0);
    if (empty) op.wrong(key, `"${key}" must name at least one field`);
    return value.read(op, key);
  };
  return { ...value, read };
}

/** A map from fields to what is made of them. */
function fieldMap<T>(
  words: string,
  each: JsonSchema | ((options: SchemaOptions) => JsonSchema),
  read: (op: MapReader, key: string) => T,
): Value<T> {
  const schemaOf = (options: SchemaOptions) => (typeof each === 'function' ? each(options) : each);
  const schema = (options: SchemaOptions) => ({
    type: 'object',
    minProperties: 1,
    additionalProperties: schemaOf(options),
  });
  return nonEmpty(special(words, schema, read));
}

function expressions(words: string) {
  const each = { anyOf: [{ $ref: '#/$defs/expression' }, { type: 'null' }] };
  return fieldMap(words, each, (op, key) =>
    op.entries(key).flatMap(([name, value]) => {
      const expr = readExpression(op.check, value === null ? 'null' : value, op.at(key, name), ITEM_NAMES);
      return expr === null ? [] : [{ name, expr }];
    }),
  );
}

function readRenames(op: MapReader, key: string): Readonly<Record<string, string>> {
  const fields = RENAMES.read(op, key);
  const sources = new Map<string, string>();
  for (const [from, to] of Object.entries(fields)) {
    const other = sources.get(to);
    if (other !== undefined)
      op.check.add(op.at(key, from), `"${other}" and "${from}" are both renamed to "${to}"`);
    sources.set(to, from);
  }
  return fields;
}

function readCasts(op: MapReader, key: string) {
  const casts = new MapReader(op.check, Object.fromEntries(op.entries(key)), op.at(key));
  return Object.keys(casts.map).map((name) => ({ name, ...CAST.read(casts, name) }));
}
