import { isRecord } from '../../../base/json.ts';
import { didYouMean } from '../../../base/text/suggest-name.ts';
import { is, type JsonSchema, type SchemaOptions, when } from '../../declare/json-schema.ts';
import { special, type Value } from '../../declare/value.ts';
import { text } from '../../declare/values.ts';
import type { DocumentCheck } from '../../yaml/document-check.ts';
import { MapReader, readMap, typeName } from '../../yaml/map-reader.ts';
import type { Path } from '../../yaml/yaml-path.ts';
import { cursorProblems } from '../check-cursors.ts';
import { loadsAtOnce } from '../check-loads.ts';
import { declaredMethods } from '../declared-methods.ts';
import { linkSteps } from '../link-steps.ts';
import { partitionProblems } from '../partition/check-partitions.ts';
import { assertStep } from './assert-step.ts';
import { callStep } from './call-step.ts';
import { createBranchStep } from './control/branch-step.ts';
import { createForeachStep } from './control/foreach-step.ts';
import type { NestedListRules } from './control/nested-list.ts';
import { createParallelStep } from './control/parallel-step.ts';
import { runTaskStep } from './control/run-task-step.ts';
import { type SetStateStep, setStateStep } from './control/set-state-step.ts';
import { type StepDefaults, withDefaults } from './control/step-defaults.ts';
import { extractStep } from './extract-step.ts';
import { type LoadStep, loadStep } from './load/load-step.ts';
import { logStep } from './log-step.ts';
import { isSetOp } from './ops/transform-ops.ts';
import { scriptStep } from './script/script-step.ts';
import { sleepStep } from './sleep-step.ts';
import { sqlStep } from './sql/sql-step.ts';
import type { DraftStep, PlacedStep, StepKind, StepList, StepOf } from './step-kind.ts';
import { stopStep } from './stop-step.ts';
import { transformStep } from './transform-step.ts';
import { verifyStep } from './verify/verify-step.ts';

const KIND = text('', { required: true });
/** In one list. */
const STEPS_MAX = 200;
/** In all lists of a task. */
const ALL_STEPS_MAX = 1_000;
const NO_STEPS: StepList = { placed: [], unread: [], inOrder: true };
/** Lists inside lists. */
const DEPTH_MAX = 8;

/** Every kind of step, in the order in which messages and schemas name them. */
const KINDS = [
  extractStep,
  transformStep,
  sqlStep,
  scriptStep,
  loadStep,
  callStep,
  verifyStep,
  assertStep,
  logStep,
  sleepStep,
  stopStep,
  createForeachStep(nestedList),
  createBranchStep(nestedList),
  createParallelStep(nestedList),
  setStateStep,
  runTaskStep,
];
export type Step = StepOf<(typeof KINDS)[number]>;

const NAMES: readonly string[] = KINDS.map(({ kind }) => kind);

/** The step needs all rows of its inputs before it gives any. */
export function gathersRows(step: Step): boolean {
  return step.kind === 'sql' || (step.kind === 'transform' && step.ops.some(isSetOp));
}

/** The lists of steps inside a step. */
export function bodiesOf(step: Step): readonly (readonly Step[])[] {
  // Every linked step was read by one of the kinds.
  return step.bodies as readonly (readonly Step[])[];
}

/** The steps and all those inside them, in the order of the document. */
export function allSteps(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...stepsInside(step)]);
}

/** The steps inside of one, in the order of the document. */
export function stepsInside(step: Step): readonly Step[] {
  return bodiesOf(step).flatMap(allSteps);
}

/** The steps and all those inside them, each with its path in the document; `path` is that of the list. */
export function stepsWithPaths(
  steps: readonly Step[],
  path: Path,
): readonly { readonly step: Step; readonly path: Path }[] {
  return steps.flatMap((step, index) => {
    const at = [...path, index];
    const bodies = bodiesOf(step);
    const keyOf = (body: number) => {
      if (step.kind !== 'branch') return ['steps'];
      return body < step.conditions.length ? ['cases', body, 'steps'] : ['else'];
    };
    return [{ step, path: at }, ...bodies.flatMap((body, n) => stepsWithPaths(body, [...at, ...keyOf(n)]))];
  });
}

/** `steps` of a task, as they were read. */
export const STEPS: Value<StepList> = nestedList(
  'What the task does. Steps run in order unless `needs` and `input` say otherwise.',
  { required: true, inOrder: true },
);

/** A list of steps under another key of a task, as it was read; expressions in it read `failure`. */
export function cleanupList(words: string): Value<StepList | null> {
  return nestedList(words, { inOrder: true, names: () => ['failure'] });
}

/** Settles what the steps of a task say of each other, and what they leave to its defaults; the lists as they are given. */
export function settleSteps(
  check: DocumentCheck,
  read: readonly (StepList | null)[],
  defaults: StepDefaults | null,
): readonly (readonly Step[])[] {
  const lists = read.map((list) => withDefaults(list ?? NO_STEPS, defaults));
  const placed = lists.flatMap(allPlaced);
  const ids = [...placed.map(({ step }) => step.id), ...lists.flatMap(allUnread)];
  check.declare(
    'steps',
    ids.map((id) => [id, null]),
  );
  check.declare(
    'state',
    ['cursor', ...placed.flatMap(({ step }) => stateNames(step))].map((name) => [name, null]),
  );
  const last = placed[ALL_STEPS_MAX];
  if (last !== undefined) check.add(last.path, `A task has at most ${ALL_STEPS_MAX} steps`);
  const taken = new Set<string>();
  const linked = lists.map((list) => linkSteps(check, list, taken) as readonly Step[]);
  checkCursors(check, linked.flatMap(allSteps), placed);
  checkPartitions(check, linked, placed);
  checkNested(check, placed);
  checkLoads(check, linked, placed);
  return linked;
}

/** The values that a step keeps; empty for all but `set_state`. */
export function stateNames(step: { readonly kind: string }): readonly string[] {
  return step.kind === setStateStep.kind ? Object.keys((step as SetStateStep).values) : [];
}

function allPlaced({ placed }: StepList): readonly PlacedStep[] {
  return placed.flatMap((one) => [one, ...one.step.bodies.flatMap(allPlaced)]);
}

function allUnread({ placed, unread }: StepList): readonly string[] {
  return [...unread, ...placed.flatMap(({ step }) => step.bodies.flatMap(allUnread))];
}

/**
 * A cursor is kept by the id of its step, so that the items of a foreach would all move one and the same; and loads of all items into
 * one table would each delete what the others have loaded.
 */
function checkNested(check: DocumentCheck, placed: readonly PlacedStep[]): void {
  const inside = placed
    .filter(({ step }) => step.kind === 'foreach')
    .flatMap(({ step }) => step.bodies.flatMap(allPlaced));
  for (const { step, path } of new Set(inside)) {
    const { deleteMissing = null, object } = step as Partial<Pick<LoadStep, 'deleteMissing' | 'object'>>;
    if (deleteMissing !== null && object?.names.size === 0)
      check.add(
        [...path, 'delete_missing'],
        'In a foreach, each item’s load would delete the rows of all others: give each item its own "object", such as "orders_{{ item.id }}"',
        'key',
      );
    if (!('cursor' in step) || step.cursor === null) continue;
    const message =
      'An extract in a foreach cannot have a cursor: all items would share one saved value. Run the task once per item, by the "foreach_expr" of a job template’s node or as separate runs';
    check.add([...path, 'cursor'], message, 'key');
  }
}

/** Placed steps and linked ones are in the same order. */
function checkLoads(
  check: DocumentCheck,
  linked: readonly (readonly Step[])[],
  placed: readonly PlacedStep[],
): void {
  const all = linked.flatMap(allSteps);
  const takesOne = (name: string) =>
    check.connectorTypes?.get(check.typeOf('connectors', name) ?? '')?.oneLoadAtOnce === true;
  for (const list of [...linked, ...all.flatMap(bodiesOf)])
    for (const { step, message } of loadsAtOnce(list, takesOne, stepsInside))
      check.add([...(placed[all.indexOf(step)]?.path ?? []), 'connector'], message);
}

function checkCursors(check: DocumentCheck, steps: readonly Step[], placed: readonly PlacedStep[]): void {
  for (const { step, keys, message, part } of cursorProblems(steps, declaredMethods(check).methodOf)) {
    const path = placed[steps.indexOf(step)]?.path ?? [];
    check.add([...path, ...keys], message, part);
  }
}

function checkPartitions(
  check: DocumentCheck,
  lists: readonly (readonly Step[])[],
  placed: readonly PlacedStep[],
): void {
  const steps = lists.flatMap(allSteps);
  const { typeOf, methodOf } = declaredMethods(check);
  const problems = partitionProblems(steps, lists[0] ?? [], {
    methodOf,
    targetOf: ({ connector }) => typeOf(connector),
    reachOf: typeOf,
    gathersRows: (step) => gathersRows(step as Step),
  });
  for (const { step, keys, message, part } of problems) {
    const path = placed[steps.indexOf(step as Step)]?.path ?? [];
    check.add([...path, ...keys], message, part);
  }
}

/** A key that holds steps. */
function nestedList<const R extends NestedListRules>(
  words: string,
  { required, inOrder, names }: R,
): Value<R extends { readonly required: true } ? StepList : StepList | null> {
  const schema = { type: 'array', items: { $ref: '#/$defs/step' }, maxItems: STEPS_MAX, minItems: 1 };
  const read = (reader: MapReader, key: string) => {
    if (!required && !reader.has(key)) return null;
    return reader.check.withNames(names?.(reader) ?? [], () => readList(reader, key, inOrder));
  };
  return special(words, schema, read as Value<StepList>['read'], { required: required ?? false });
}

function readList(reader: MapReader, key: string, inOrder: boolean): StepList {
  const list = reader.list(key, { required: true, max: STEPS_MAX }) ?? [];
  if (list.length === 0 && reader.has(key)) reader.wrong(key, `"${key}" must not be empty`);
  const depth = reader.path.filter((part) => part === 'steps' || part === 'else').length;
  if (depth >= DEPTH_MAX) {
    reader.wrong(key, `Steps can be nested at most ${DEPTH_MAX} levels deep`, 'key');
    return { placed: [], unread: [], inOrder };
  }
  const placed: PlacedStep[] = [];
  const unread: string[] = [];
  for (const [index, item] of list.slice(0, STEPS_MAX).entries()) {
    const path = reader.at(key, index);
    const step = readStep(reader.check, item, path);
    if (step !== null) placed.push({ step, path, givesRows: kindOf(step.kind)?.givesRows ?? false });
    else if (isRecord(item) && typeof item['id'] === 'string') unread.push(item['id']);
  }
  return { placed, unread, inOrder };
}

/** A step, described by the definition of its `kind`. */
function stepSchema(): JsonSchema {
  return {
    title: 'A step',
    type: 'object',
    required: ['kind'],
    properties: { kind: { description: 'What the step does.', enum: [...NAMES] } },
    allOf: NAMES.map((kind) => when(is('kind', kind), { $ref: `#/$defs/${kind}_step` })),
  };
}

/** The definitions that `steps` refers to. */
export function stepDefinitions(options: SchemaOptions): Readonly<Record<string, JsonSchema>> {
  const kinds = KINDS.map(({ kind, map }) => [`${kind}_step`, map.schema(options)]);
  return { step: stepSchema(), ...Object.fromEntries(kinds) };
}

function kindOf(kind: string): StepKind | undefined {
  return KINDS.find((known) => known.kind === kind);
}

/** Null where the step has no kind that this version knows. */
function readStep(check: DocumentCheck, value: unknown, path: Path): DraftStep | null {
  if (!isRecord(value)) {
    check.add(path, `A step must be a map, not ${typeName(value)}`);
    return null;
  }
  const bare = new MapReader(check, value, path);
  const name = KIND.read(bare, 'kind');
  if (name === '') return null;
  const kind = kindOf(name);
  if (kind === undefined) {
    const hint = didYouMean(name, NAMES) || `; there are ${NAMES.join(', ')}`;
    return bare.wrong('kind', `Unknown kind "${name}"${hint}`);
  }
  const { keys, instead = {} } = kind.map.names;
  const known = [...keys, ...Object.keys(instead)];
  // A key of another kind is reported as such.
  const misplaced = Object.keys(value).filter((key) => KIND_KEYS.has(key) && !known.includes(key));
  for (const key of misplaced)
    bare.wrong(key, `"${key}" has no effect: the step is of kind "${name}"`, 'key');
  const reader = readMap(check, value, path, { keys: [...keys, ...misplaced], instead });
  return reader === null ? null : kind.map.from(reader);
}

const KIND_KEYS: ReadonlySet<string> = new Set(KINDS.flatMap(({ map }) => map.names.keys));
