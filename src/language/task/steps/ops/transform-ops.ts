import { isRecord } from '../../../../base/json.ts';
import { didYouMean } from '../../../../base/text/suggest-name.ts';
import { declare, type Keys, type ValuesOf } from '../../../declare/value.ts';
import { name, names, texts } from '../../../declare/values.ts';
import { MapReader, readMap } from '../../../yaml/map-reader.ts';
import type { Path } from '../../../yaml/yaml-path.ts';
import { CAST } from '../../cast/cast-rule.ts';
import { LOOKUP } from './lookup-op.ts';
import { FLATTEN, UNNEST } from './nested-ops.ts';
import { checkTypes } from './op-types.ts';
import { as, condition, expressions, fieldMap, nonEmpty } from './op-value.ts';
import { AGGREGATE, DEDUPE, JOIN } from './set-ops.ts';
import { VALIDATE } from './validate-op.ts';

const RENAMES = texts('');
const OPS_MAX = 100;

/** Each operation under its name, as in the map `{<op>: <value>}`; reading one gives its fields. */
const OP_VALUES = {
  filter: as('expr', condition('Keeps rows for which this is true. The row is `item`.')),
  map: as('fields', expressions('Builds a new row from `field: expression`. The row is `item`.')),
  set: as(
    'fields',
    expressions('Sets fields, as `field: expression`, and keeps the others. The row is `item`.'),
  ),
  rename: as('fields', fieldMap('Renames fields, as `old_name: new_name`.', { type: 'string' }, readRenames)),
  drop: as('fields', nonEmpty(names('Removes these fields.', { min: 1, default: [] }))),
  cast: as(
    'fields',
    fieldMap(
      'Converts fields, as `field: type` or `field: {type, format, locale, zone, encoding, non_finite}`.',
      CAST.schema,
      readCasts,
    ),
  ),
  mapping: as(
    'configKey',
    name(
      'Maps fields as in this `field_mapping` entry of the job’s configuration: each row has a `source_field`, a `target_field` and optionally a `transform`, an expression with the field as `value` and the row as `item`. Fields without a row are dropped.',
      'key',
      {
        required: true,
      },
    ),
  ),
  flatten: FLATTEN,
  unnest: UNNEST,
  validate: VALIDATE,
  lookup: LOOKUP,
  dedupe: DEDUPE,
  aggregate: AGGREGATE,
  join: JOIN,
} satisfies Keys;

type OpName = keyof typeof OP_VALUES;
type OpFields = ValuesOf<typeof OP_VALUES>;

/** One operation of a `transform`; each takes rows and gives rows. The transforms of a `mapping` compile at run start. */
export type Op = { readonly [N in OpName]: { readonly op: N } & OpFields[N] }[OpName];

/** Asks a connector for what rows lack. */
export type LookupOp = Extract<Op, { op: 'lookup' }>;

/** An operation on all rows of a step at once. */
export type SetOp = Extract<Op, { op: 'dedupe' | 'aggregate' | 'join' }>;

export function isSetOp(op: Op): op is SetOp {
  return op.op === 'dedupe' || op.op === 'aggregate' || op.op === 'join';
}

/** `ops`: a list of maps with one operation each, in the order in which they act. */
export const OPS = declare<readonly Op[], { readonly required: true }>(
  'Operations, applied in order.',
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
      const ops = (list ?? []).flatMap((item, index) => readOp(reader, item, reader.at(key, index)) ?? []);
      if (ops.length === list?.length && reader.check.checksExpressions)
        checkTypes(reader.check, ops, reader.at(key));
      return ops;
    },
    empty: [],
  },
  { required: true },
);

function readOp({ check }: MapReader, item: unknown, path: Path): Op | null {
  const [op, ...others] = isRecord(item) ? Object.keys(item) : [];
  if (op === undefined || others.length > 0) {
    check.add(
      path,
      'An operation is a map with one key, such as "filter"; use a separate list item for each',
    );
    return null;
  }
  const known = Object.keys(OP_VALUES);
  if (!known.includes(op)) {
    const hint = didYouMean(op, known) || `; there are ${known.join(', ')}`;
    check.add([...path, op], `Unknown operation "${op}"${hint}`, 'key');
    return null;
  }
  const reader = readMap(check, item, path, { keys: known });
  return reader === null ? null : ({ op, ...OP_VALUES[op as OpName].read(reader, op) } as Op);
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
