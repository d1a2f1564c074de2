import type { ParsedTask, Task } from './parse-task.ts';
import type { RunTaskStep } from './steps/control/run-task-step.ts';
import { ADDING_MODES } from './steps/load/load-step.ts';
import { inputsOf } from './steps/step-kind.ts';
import { sourcesIn } from './steps/step-sources.ts';
import { allSteps, gathersRows, type Step } from './steps/steps.ts';

export type ReplayPlan =
  /**
   * Ids of the steps that run. `stepId` is one of them, or, where it is a step of a task that a `run_task` step runs, that step is the only
   * one, and `inside` says what of its task runs.
   */
  | { readonly ok: true; readonly steps: ReadonlySet<string>; readonly inside: InsideReplay | null }
  | { readonly ok: false; readonly message: string };

export interface InsideReplay {
  /** The `run_task` step. */
  readonly id: string;
  readonly plan: Extract<ReplayPlan, { ok: true }>;
}

/** The task that a `run_task` step names; undefined where it is not known. */
export type TaskOfName = (name: string) => ParsedTask | undefined;

/** What a `run_task` step may not read, since a replay has other values of it. */
const LOST_NAMES = ['steps', 'state'];

/** Steps whose rows may fail one by one. */
const WITH_ROWS: readonly Step['kind'][] = ['extract', 'transform', 'script', 'load', 'foreach'];

/**
 * What a replay of failed rows runs: the step that gets the rows, the steps that it feeds, and of the others those that follow
 * these and read no result of a step that does not run. Nothing before it runs, and no other pipeline. Of a task that a `run_task`
 * step runs it is the same, and what follows that step does not run.
 */
export function planReplay(task: Task, stepId: string, taskOf: TaskOfName): ReplayPlan {
  const [around = '', ...inside] = stepId.split('/');
  if (inside.length > 0) return planInside(task, around, inside.join('/'), taskOf);
  const step = task.steps.find(({ id }) => id === stepId);
  if (step === undefined) {
    const isInside = allSteps(task.steps).some(({ id }) => id === stepId);
    return refused(
      isInside
        ? `The step "${stepId}" of the task "${task.name}" is inside another step, whose items are not available to a replay: run the task again`
        : `The task "${task.name}" has no step "${stepId}"`,
    );
  }
  if (!WITH_ROWS.includes(step.kind))
    return refused(`The step "${stepId}" of the task "${task.name}" processes no rows: it is a ${step.kind}`);
  if (step.kind === 'foreach' && step.input === null)
    return refused(
      `The foreach "${stepId}" of the task "${task.name}" computes its own list ("in_expr"), so a replay would process all of it again: run the task again, or provide the items with "input"`,
    );
  const fed = fedBy(task.steps, stepId);
  const gathering = task.steps.find((one) => fed.has(one.id) && gathersRows(one));
  if (gathering !== undefined) {
    const what =
      gathering.kind === 'sql'
        ? `feeds the query "${gathering.id}", which a replay would run over only a few rows`
        : `${gathering.id === stepId ? 'joins, aggregates or dedupes' : `feeds "${gathering.id}", which joins, aggregates or dedupes`} rows, but a replay has only a few of them`;
    return refused(
      `The step "${stepId}" of the task "${task.name}" ${what} instead of all of them: run the task again`,
    );
  }
  const load = task.steps.find(
    (one) => fed.has(one.id) && one.kind === 'load' && !ADDING_MODES.has(one.mode),
  );
  if (load?.kind === 'load')
    return refused(
      `The load "${load.id}" of the task "${task.name}" has the mode "${load.mode}": a replay would replace all rows with a few`,
    );
  for (const one of task.steps) {
    const missing = fed.has(one.id) ? readsOf(one).find((id) => isStep(task, id) && !fed.has(id)) : undefined;
    if (missing === undefined) continue;
    return refused(`The step "${one.id}" uses "steps.${missing}", which a replay does not run`);
  }
  return { ok: true, steps: new Set([...fed, ...followers(task, fed)]), inside: null };
}

/** A replay of the step `stepId` of the task that the step `around` runs, with the arguments that it had. */
function planInside(task: Task, around: string, stepId: string, taskOf: TaskOfName): ReplayPlan {
  const again = `run the task "${task.name}" again`;
  const step = task.steps.find((one): one is RunTaskStep => one.id === around && one.kind === 'run_task');
  if (step === undefined)
    return refused(
      `The step "${stepId}" belongs to a task that "${around}" runs inside another step, whose items are not available to a replay: ${again}`,
    );
  const lost = LOST_NAMES.find((name) => step.args.names.has(name) || step.when?.names.has(name));
  if (lost !== undefined)
    return refused(
      `"${around}" uses "${lost}", which no longer has the value it had when "${step.task}" ran: ${again}`,
    );
  const child = taskOf(step.task);
  if (child?.ok !== true) return refused(`The task "${step.task}", which "${around}" runs, cannot be read`);
  const plan = planReplay(child.task, stepId, taskOf);
  return plan.ok ? { ok: true, steps: new Set([around]), inside: { id: around, plan } } : plan;
}

/** The step and all that get its rows; a step comes after the one that feeds it. */
function fedBy(steps: readonly Step[], stepId: string): Set<string> {
  const fed = new Set([stepId]);
  for (const step of steps) if (inputsOf(step).some((input) => fed.has(input))) fed.add(step.id);
  return fed;
}

/** Steps without rows that come after those of `fed`; what reads the result of a step that does not run is left out. */
function followers(task: Task, fed: ReadonlySet<string>): Set<string> {
  const runs = new Set(fed);
  const singles = task.steps.filter((step) => inputsOf(step).length === 0 && step.kind !== 'extract');
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
  const text = JSON.stringify(sourcesIn(step));
  return [...text.matchAll(/\bsteps\.([A-Za-z0-9_-]+)/g)].map((match) => match[1] ?? '');
}

function refused(message: string): ReplayPlan {
  return { ok: false, message };
}
