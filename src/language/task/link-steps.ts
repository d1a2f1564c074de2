import { didYouMean } from '../../base/text/suggest-name.ts';
import type { DocumentCheck } from '../yaml/document-check.ts';
import { findCycle } from './find-cycle.ts';
import {
  inputsOf,
  type LinkedStep,
  type PlacedStep,
  type StepList,
  type StepSource,
} from './steps/step-kind.ts';

/**
 * Settles what the steps say of each other, in a list and in those inside it. `input` names an earlier step of the same list that
 * gives rows, and so does each of `inputs`. `needs` becomes a list of step ids: as written, or the one before; a step that reads rows needs the step that feeds
 * it, and by default that one alone, since steps that feed each other run at the same time and could not wait for a third in
 * between. `taken` has the ids of the lists before, to which those of this one are added.
 */
export function linkSteps(check: DocumentCheck, list: StepList, taken: Set<string>): readonly LinkedStep[] {
  const { placed, unread, inOrder } = list;
  const byId = new Map<string, PlacedStep>();
  const all = new Set([...placed.map(({ step }) => step.id), ...unread]);
  const linked: LinkedStep[] = [];
  for (const [index, one] of placed.entries()) {
    const { step, path } = one;
    const isCopy = taken.has(step.id) && step.id !== '';
    if (isCopy) check.add([...path, 'id'], `Duplicate step id "${step.id}"; choose another`);
    taken.add(step.id);
    const input = linkInput(check, one, byId, all, list);
    const before = inOrder ? (placed[index - 1]?.step.id ?? null) : null;
    const sources = linkSources(check, one, byId, all, list);
    const needs = linkNeeds(check, one, inputsOf({ input, sources }), before, all);
    // What is inside a copy is most likely a copy as well, which needs no telling.
    const inside = isCopy ? new Set<string>() : taken;
    const bodies = step.bodies.map((body) => linkSteps(check, body, inside));
    linked.push({ ...step, input, sources, needs, bodies });
    byId.set(step.id, one);
  }
  // Ids that stand for two steps make no sense as a graph.
  if (byId.size < linked.length) return linked;
  const cycle = findCycle(new Map(linked.map((step) => [step.id, step.needs])));
  if (cycle === null) checkWaits(check, placed, linked);
  else {
    const path = placed.find(({ step }) => step.id === cycle[0])?.path ?? [];
    check.add([...path, 'needs'], `The steps depend on each other in a cycle: ${cycle.join(' -> ')}`);
  }
  return linked;
}

/** A hint for a step that is there, but in another list: in a step around this one, or inside another. */
function elsewhere(check: DocumentCheck, id: string): string {
  const isKnown = check.declared('steps')?.includes(id) === true;
  return isKnown ? `; "${id}" is in another list of steps, and references are limited to the same list` : '';
}

function linkInput(
  check: DocumentCheck,
  one: PlacedStep,
  earlier: ReadonlyMap<string, PlacedStep>,
  all: ReadonlySet<string>,
  list: StepList,
): string | null {
  const { input } = one.step;
  return input === null ? null : linkSource(check, one, { step: input, keys: ['input'] }, earlier, all, list);
}

/** Those that `inputs` names. Rows of one step may stand in two tables. */
function linkSources(
  check: DocumentCheck,
  one: PlacedStep,
  earlier: ReadonlyMap<string, PlacedStep>,
  all: ReadonlySet<string>,
  list: StepList,
): readonly string[] {
  const linked = one.step.sources.flatMap(
    (source) => linkSource(check, one, source, earlier, all, list) ?? [],
  );
  return [...new Set(linked)];
}

function linkSource(
  check: DocumentCheck,
  { step: { id }, path }: PlacedStep,
  { step: input, keys }: StepSource,
  earlier: ReadonlyMap<string, PlacedStep>,
  all: ReadonlySet<string>,
  { unread }: StepList,
): string | null {
  if (input === '' || unread.includes(input)) return null;
  const source = earlier.get(input);
  const [key = '', ...inside] = keys;
  const name = key === 'ops' ? (inside.at(-1) ?? key) : key;
  if (source === undefined) {
    const message =
      input === id
        ? `A step cannot read its own rows; name an earlier step as "${String(name)}"`
        : all.has(input)
          ? `"${String(name)}" must name an earlier step; "${input}" comes later`
          : `There is no step "${input}" before this one${elsewhere(check, input) || didYouMean(input, earlier.keys())}`;
    check.add([...path, ...keys], message);
    return null;
  }
  if (!source.givesRows) {
    const message = `"${input}" is of kind "${source.step.kind}", which produces no rows; name an extract, transform, sql or script step`;
    check.add([...path, ...keys], message);
    return null;
  }
  return input;
}

function linkNeeds(
  check: DocumentCheck,
  { step: { id, needs }, path }: PlacedStep,
  inputs: readonly string[],
  before: string | null,
  all: ReadonlySet<string>,
): readonly string[] {
  if (needs === null) return inputs.length > 0 || before === null ? inputs : [before];
  const known = needs.filter((need, index) => {
    if (all.has(need) && need !== id) return true;
    const message =
      need === id
        ? 'A step cannot need itself'
        : `There is no step "${need}"${elsewhere(check, need) || didYouMean(need, all)}`;
    check.add([...path, 'needs', index], message);
    return false;
  });
  return [...new Set([...known, ...inputs])];
}

/**
 * A step takes rows while its source gives them, and the source waits for it when it falls behind. So it must not wait for a step
 * that itself waits for the source: neither would ever continue.
 */
function checkWaits(
  check: DocumentCheck,
  placed: readonly PlacedStep[],
  linked: readonly LinkedStep[],
): void {
  const byId = new Map(linked.map((step) => [step.id, step]));
  for (const [index, step] of linked.entries()) {
    const sources = new Set<string>();
    for (const input of inputsOf(step)) sources.add(input);
    for (const source of sources) for (const input of inputsAt(byId, source)) sources.add(input);
    for (const need of step.needs) {
      if (inputsOf(step).includes(need)) continue;
      const source = sources.has(need) ? need : firstReached(byId, need, sources);
      if (source === null) continue;
      const waits =
        source === need ? 'produces rows until this step has consumed them' : `waits for "${source}"`;
      const message = `"${step.id}" consumes rows of "${source}" as they are produced, so it cannot wait for "${need}", which ${waits}`;
      check.add([...(placed[index]?.path ?? []), 'needs'], message);
    }
  }
}

function inputsAt(byId: ReadonlyMap<string, LinkedStep>, id: string): readonly string[] {
  const step = byId.get(id);
  return step === undefined ? [] : inputsOf(step);
}

/** The first of `goals` that `from` waits for, directly or not. */
function firstReached(
  byId: ReadonlyMap<string, LinkedStep>,
  from: string,
  goals: ReadonlySet<string>,
): string | null {
  const seen = new Set([from]);
  for (const id of seen) {
    for (const need of byId.get(id)?.needs ?? []) {
      if (goals.has(need)) return need;
      seen.add(need);
    }
  }
  return null;
}
