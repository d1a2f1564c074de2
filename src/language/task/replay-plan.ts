import type { Step, Task } from './task.ts';

export type ReplayPlan =
  /** Ids of the steps that run; `stepId` is one of them. */
  | { readonly ok: true; readonly steps: ReadonlySet<string> }
  | { readonly ok: false; readonly message: string };

/**
 * Load modes that add a few rows to those that are there; every other one, such as `replace`, would put them in the place of all.
 * A mode is added here only when that is so.
 */
const ADDING_MODES: ReadonlySet<string> = new Set(['append', 'upsert', 'merge']);

/**
 * What a replay of failed rows runs: the step that gets the rows, the steps that it feeds, and of the others those that follow
 * these and read no result of a step that does not run. Nothing before it runs, and no other pipeline.
 */
export function planReplay(task: Task, stepId: string): ReplayPlan {
  const step = task.steps.find(({ id }) => id === stepId);
  if (step === undefined) return refused(`The task "${task.name}" has no step "${stepId}"`);
  if (step.kind !== 'transform' && step.kind !== 'load')
    return refused(`The step "${stepId}" of the task "${task.name}" takes no rows: it is a ${step.kind}`);
  const fed = fedBy(task.steps, stepId);
  const load = task.steps.find(
    (one) => fed.has(one.id) && one.kind === 'load' && !ADDING_MODES.has(one.mode),
  );
  if (load?.kind === 'load')
    return refused(
      `The load "${load.id}" of the task "${task.name}" has the mode "${load.mode}": a replay would put a few rows in the place of all`,
    );
  for (const one of task.steps) {
    const missing = fed.has(one.id) ? readsOf(one).find((id) => isStep(task, id) && !fed.has(id)) : undefined;
    if (missing === undefined) continue;
    return refused(`The step "${one.id}" reads "steps.${missing}", which a replay does not run`);
  }
  return { ok: true, steps: new Set([...fed, ...followers(task, fed)]) };
}

/** The step and all that get its rows; a step comes after the one that feeds it. */
function fedBy(steps: readonly Step[], stepId: string): Set<string> {
  const fed = new Set([stepId]);
  for (const { id, input } of steps) if (input !== null && fed.has(input)) fed.add(id);
  return fed;
}

/** Steps without rows that come after those of `fed`; what reads the result of a step that does not run is left out. */
function followers(task: Task, fed: ReadonlySet<string>): Set<string> {
  const runs = new Set(fed);
  const singles = task.steps.filter((step) => step.input === null && step.kind !== 'extract');
  for (let before = -1; before !== runs.size; ) {
    before = runs.size;
    for (const step of singles) if (step.needs.some((id) => runs.has(id))) runs.add(step.id);
  }
  for (let before = -1; before !== runs.size; ) {
    before = runs.size;
    for (const step of singles) {
      const reads = readsOf(step).filter((id) => isStep(task, id));
      if (reads.some((id) => !runs.has(id)) || !step.needs.some((id) => runs.has(id))) runs.delete(step.id);
    }
  }
  return new Set([...runs].filter((id) => !fed.has(id)));
}

function isStep(task: Task, id: string): boolean {
  return task.steps.some((step) => step.id === id);
}

/** Steps whose results the step's expressions name. */
function readsOf(step: Step): string[] {
  const text = JSON.stringify(sourcesOf(step));
  return [...text.matchAll(/\bsteps\.([A-Za-z0-9_-]+)/g)].map((match) => match[1] ?? '');
}

function sourcesOf(step: Step): unknown[] {
  const condition = step.when?.source ?? '';
  switch (step.kind) {
    case 'extract':
    case 'call':
      return [condition, step.args.source];
    case 'load':
      return [condition, step.object.source];
    case 'assert':
      return [condition, step.check.source, step.message?.source];
    case 'log':
      return [condition, step.message.source];
    case 'transform':
      return [condition, ...step.ops.map(opSources)];
    default:
      return step satisfies never;
  }
}

function opSources(op: Extract<Step, { kind: 'transform' }>['ops'][number]): string[] {
  if (op.op === 'filter') return [op.expr.source];
  return op.op === 'map' || op.op === 'set' ? op.fields.map((field) => field.expr.source) : [];
}

function refused(message: string): ReplayPlan {
  return { ok: false, message };
}
