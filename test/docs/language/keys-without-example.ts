import { parse } from 'yaml';
import { isRecord } from '../../../src/base/json.ts';
import { publishedSchema } from '../../../src/language/published-schemas.ts';
import { type KeyRow, keyRows } from '../reference/schema-rows.ts';
import type { Definitions, Schema } from '../reference/schema-type.ts';
import { type Example, OP_EXAMPLES, STEP_EXAMPLES, TASK_EXAMPLES } from './examples.ts';

/** Those of most kinds mean the same in each. */
const KINDS_OF_A_SHARED_KEY = 6;

const schema = publishedSchema('task');
const definitions = schema['$defs'] as Definitions;
const context = { definitions, linkOf: () => null };

/** The keys that the reference has and no example, such as `load: history.track`. */
export function keysWithoutExample(): readonly string[] {
  const tasks = [TASK_EXAMPLES, STEP_EXAMPLES, OP_EXAMPLES]
    .flatMap((examples) => Object.values(examples).flat())
    .flatMap(({ task, other }: Example) => [task, ...(other?.includes('steps:') ? [other] : [])])
    .map((text) => parse(text) as unknown);
  const steps = tasks.flatMap(stepsIn);
  const rows = Object.keys(definitions)
    .filter((name) => name.endsWith('_step'))
    .map((name) => ({ kind: name.replace(/_step$/, ''), rows: stepRows(name) }));
  const isShared = ({ path }: KeyRow) =>
    rows.filter((one) => one.rows.some((row) => row.path === path)).length >= KINDS_OF_A_SHARED_KEY;
  const all = rows.flatMap((one) => one.rows);
  const transforms = steps.filter(({ kind }) => kind === 'transform');
  return [
    ...missing('task', keyRows(schema, context), tasks),
    ...missing('step', all.filter(isShared), steps),
    ...rows.flatMap(({ kind, rows: own }) =>
      missing(
        kind,
        own.filter((row) => !isShared(row)),
        steps.filter((step) => step['kind'] === kind),
      ),
    ),
    ...missing('operation', keyRows({ properties: opProperties() }, context), transforms.flatMap(opsOf)),
  ];
}

function stepRows(name: string): readonly KeyRow[] {
  return keyRows(definitions[name] ?? {}, context).filter(({ path }) => !path.startsWith('ops['));
}

function opProperties(): Schema {
  const { properties } = definitions['transform_step'] as { properties: { ops: { items: Schema } } };
  return properties.ops.items['properties'] as Schema;
}

function opsOf({ ops }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(ops) ? ops : [];
}

function missing(of: string, rows: readonly KeyRow[], documents: readonly unknown[]): readonly string[] {
  const used = new Set(documents.flatMap((document) => pathsIn(document)));
  const unused = rows.filter(({ path }) => ![...used].some((found) => formOf(path).test(found)));
  return [...new Set(unused.map(({ path }) => `${of}: ${path}`))];
}

/** `args.<name>.type` stands for every name. */
function formOf(path: string): RegExp {
  const parts = path.split(/<\w+>/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('[^.]+')}$`);
}

function pathsIn(value: unknown, prefix = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, `${prefix}[]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    return [path, ...pathsIn(inner, path)];
  });
}

function stepsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(stepsIn);
  if (!isRecord(value)) return [];
  const isStep = typeof value['id'] === 'string' && typeof value['kind'] === 'string';
  return [...(isStep ? [value] : []), ...Object.values(value).flatMap(stepsIn)];
}
