import { isRecord } from '../../../base/json.ts';
import { is, type JsonSchema, type SchemaOptions, when } from '../../declare/json-schema.ts';
import { special, type Value } from '../../declare/value.ts';
import { text } from '../../declare/values.ts';
import type { DocumentCheck } from '../../yaml/document-check.ts';
import { MapReader, readMap, typeName } from '../../yaml/map-reader.ts';
import { didYouMean } from '../../yaml/suggest-name.ts';
import type { Path } from '../../yaml/yaml-path.ts';
import { cursorProblems } from '../check-cursors.ts';
import { linkSteps, type PlacedStep } from '../link-steps.ts';
import { assertStep } from './assert-step.ts';
import { callStep } from './call-step.ts';
import { extractStep } from './extract-step.ts';
import { loadStep } from './load-step.ts';
import { logStep } from './log-step.ts';
import type { DraftStep, StepKind, StepOf } from './step-kind.ts';
import { transformStep } from './transform-step.ts';

/** Every kind of step, in the order in which messages and schemas name them. */
const KINDS = [extractStep, transformStep, loadStep, callStep, assertStep, logStep];
const KINDS_LATER = ['foreach', 'branch', 'parallel', 'set_state', 'sleep', 'stop', 'run_task'];
const KIND = text('', { required: true });
const STEPS_MAX = 200;

export type Step = StepOf<(typeof KINDS)[number]>;

const NAMES: readonly string[] = KINDS.map(({ kind }) => kind);

/** `steps` of a task, with what they say of each other settled. */
export const STEPS: Value<readonly Step[]> = special(
  'What the task does. Steps run in their order where `needs` and `input` do not say otherwise.',
  () => ({ type: 'array', items: stepSchema(), maxItems: STEPS_MAX, minItems: 1 }),
  (reader, key) => {
    const list = reader.list(key, { required: true, max: STEPS_MAX });
    if (list?.length === 0) reader.wrong(key, `"${key}" must not be empty`);
    const placed: PlacedStep[] = [];
    const unread = new Set<string>();
    for (const [index, item] of (list ?? []).entries()) {
      const path = reader.at(key, index);
      const step = readStep(reader.check, item, path);
      if (step !== null) placed.push({ step, path, givesRows: kindOf(step.kind)?.givesRows ?? false });
      else if (isRecord(item) && typeof item['id'] === 'string') unread.add(item['id']);
    }
    const ids = [...placed.map(({ step }) => step.id), ...unread];
    reader.check.declare(
      'steps',
      ids.map((id) => [id, null]),
    );
    const linked = linkSteps(reader.check, placed, unread) as readonly Step[];
    checkCursors(reader.check, linked, placed);
    return linked;
  },
  { required: true },
);

function checkCursors(check: DocumentCheck, steps: readonly Step[], placed: readonly PlacedStep[]): void {
  const problems = cursorProblems(steps, ({ connector, method: name }) => {
    const type = check.connectorTypes?.get(check.typeOf('connectors', connector) ?? '');
    const method = type?.methods.find((known) => known.name === name);
    return type === undefined || method === undefined ? null : { type: type.type, cursor: method.cursor };
  });
  for (const { step, keys, message, part } of problems) {
    const path = placed[steps.indexOf(step)]?.path ?? [];
    check.add([...path, ...keys], message, part);
  }
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
  return Object.fromEntries(KINDS.map(({ kind, map }) => [`${kind}_step`, map.schema(options)]));
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
  if (kind === undefined && KINDS_LATER.includes(name))
    return bare.wrong('kind', `"${name}" steps are not supported by this version`);
  if (kind === undefined) {
    const hint = didYouMean(name, NAMES) || `; there are ${NAMES.join(', ')}`;
    return bare.wrong('kind', `Unknown kind "${name}"${hint}`);
  }
  const { keys, later = [] } = kind.map.names;
  const known = [...keys, ...later];
  // A key of another kind is reported as such.
  const misplaced = Object.keys(value).filter((key) => KIND_KEYS.has(key) && !known.includes(key));
  for (const key of misplaced)
    bare.wrong(key, `"${key}" has no effect: the step is of kind "${name}"`, 'key');
  const reader = readMap(check, value, path, { keys: [...keys, ...misplaced], later });
  return reader === null ? null : kind.map.from(reader);
}

const KIND_KEYS: ReadonlySet<string> = new Set(KINDS.flatMap(({ map }) => map.names.keys));
