import type { Expression } from '../../expression/expression.ts';
import { readExpression, readExpressionKey } from '../../yaml/expression-reader.ts';
import { type MapReader, readMap } from '../../yaml/map-reader.ts';
import { ITEM_NAMES } from '../../yaml/scope-names.ts';
import { didYouMean } from '../../yaml/suggest-name.ts';
import type { CastType, Op } from '../task.ts';

const OPS_MAX = 100;

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

/** How each operation is read from the map `{<op>: <value>}`. */
const OP_READERS: Readonly<Record<Op['op'], (op: MapReader) => Op | null>> = {
  filter: (op) => {
    const expr = readExpressionKey(op, 'filter', ITEM_NAMES, { required: true });
    return expr && { op: 'filter', expr };
  },
  map: (op) => ({ op: 'map', fields: readFields(op, 'map') }),
  set: (op) => ({ op: 'set', fields: readFields(op, 'set') }),
  rename: (op) => ({ op: 'rename', fields: readRenames(op) }),
  drop: (op) => ({ op: 'drop', fields: nonEmpty(op, 'drop', op.names('drop') ?? []) }),
  cast: (op) => ({ op: 'cast', fields: readCasts(op) }),
  mapping: (op) => ({ op: 'mapping', configKey: op.name('mapping', 'key', { required: true }) ?? '' }),
};

const OPS_LATER = ['flatten', 'unnest', 'dedupe', 'lookup', 'validate', 'aggregate', 'join'];

/** Reads `ops`: a list of maps with one operation each, in the order in which they act. */
export function readOps(reader: MapReader): readonly Op[] {
  const list = reader.list('ops', { required: true, max: OPS_MAX });
  if (list?.length === 0) reader.wrong('ops', '"ops" must not be empty');
  return (list ?? []).flatMap((item, index) => readOp(reader, item, index) ?? []);
}

function readOp(reader: MapReader, item: unknown, index: number): Op | null {
  const path = reader.at('ops', index);
  const known = Object.keys(OP_READERS);
  const names = item !== null && typeof item === 'object' && !Array.isArray(item) ? Object.keys(item) : [];
  if (names.length !== 1) {
    reader.check.add(
      path,
      `An operation is a map with one key, such as "filter"; put each in its own list item`,
    );
    return null;
  }
  const name = names[0] ?? '';
  if (OPS_LATER.includes(name)) {
    reader.check.add([...path, name], `"${name}" operations are not supported by this version`, 'key');
    return null;
  }
  if (!Object.hasOwn(OP_READERS, name)) {
    const hint = didYouMean(name, known) || `; there are ${known.join(', ')}`;
    reader.check.add([...path, name], `Unknown operation "${name}"${hint}`, 'key');
    return null;
  }
  const op = readMap(reader.check, item, path, { keys: known });
  return op === null ? null : OP_READERS[name as Op['op']](op);
}

function nonEmpty<T>(op: MapReader, key: string, items: readonly T[]): readonly T[] {
  const value = op.value(key);
  const empty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  if (empty) op.wrong(key, `"${key}" must name at least one field`);
  return items;
}

function readFields(op: MapReader, key: string): readonly { name: string; expr: Expression }[] {
  const fields = op.entries(key).flatMap(([name, value]) => {
    const expr = readExpression(op.check, value === null ? 'null' : value, op.at(key, name), ITEM_NAMES);
    return expr === null ? [] : [{ name, expr }];
  });
  return nonEmpty(op, key, fields);
}

function readRenames(op: MapReader): Readonly<Record<string, string>> {
  const fields = op.texts('rename');
  const targets = new Map<string, string>();
  for (const [from, to] of Object.entries(fields)) {
    const other = targets.get(to);
    if (other !== undefined) {
      op.check.add(op.at('rename', from), `"${other}" and "${from}" are both renamed to "${to}"`);
    }
    targets.set(to, from);
  }
  nonEmpty(op, 'rename', []);
  return fields;
}

function readCasts(op: MapReader): readonly { name: string; type: CastType }[] {
  const map = op.has('cast')
    ? readMap(op.check, op.value('cast'), op.at('cast'), { keys: keysOf(op.value('cast')) })
    : null;
  const fields = keysOf(op.value('cast')).flatMap((name) => {
    const type = map?.oneOf(name, CAST_TYPES, { required: true });
    return type ? [{ name, type }] : [];
  });
  return nonEmpty(op, 'cast', fields);
}

function keysOf(value: unknown): string[] {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value) : [];
}
