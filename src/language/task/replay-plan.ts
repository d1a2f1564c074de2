import type { Task } from './parse-task.ts';
import { ADDING_MODES } from './steps/load-step.ts';
import { inputsOf } from './steps/step-kind.ts';
import { sourcesIn } from './steps/step-sources.ts';
import { allSteps, gathersRows, type Step } from './steps/steps.ts';

export type ReplayPlan =
  /** Ids of the steps that run; `stepId` is one of them. */
  | { readonly ok: true; readonly steps: ReadonlySet<string> }
  | { readonly ok: false; readonly message: string };

/** Steps whose rows may fail one by one. */
const WITH_ROWS: readonly Step['kind'][] = ['extract', 'transform', 'script', 'load', 'foreach'];

/**
 * What a replay of failed rows runs: the step that gets the rows, the steps that it feeds, and of the others those that follow
 * these and read no result of a step that does not run. Nothing before it runs, and no other pipeline.
 */
export function planReplay(task: Task, stepId: string): ReplayPlan {
  const step = task.steps.find(({ id }) => id === stepId);
  const [around = '', ...inside] = stepId.split('/');
  if (inside.length > 0)
    return refused(
      `The step "${inside.join('/')}" is a step of the task that "${around}" runs, whose arguments a replay does not have: run the task "${task.name}" again`,
    );
  if (step === undefined) {
    const isInside = allSteps(task.steps).some(({ id }) => id === stepId);
    return refused(
      isInside
        ? `The step "${stepId}" of the task "${task.name}" is inside another step, whose items a replay does not have: run the task again`
        : `The task "${task.name}" has no step "${stepId}"`,
    );
  }
  if (!WITH_ROWS.includes(step.kind))
    return refused(`The step "${stepId}" of the task "${task.name}" has no rows: it is a ${step.kind}`);
  if (step.kind === 'foreach' && step.input === null)
    return refused(
      `The foreach "${stepId}" of the task "${task.name}" makes its list itself ("in_expr"), so that a replay would do all of it again: run the task again, or give it the items with "input"`,
    );
  const fed = fedBy(task.steps, stepId);
  const gathering = task.steps.find((one) => fed.has(one.id) && gathersRows(one));
  if (gathering !== undefined) {
    const what =
      gathering.kind === 'sql'
        ? `feeds the query "${gathering.id}", which a replay would run over a few rows`
        : `${gathering.id === stepId ? 'joins, aggregates or dedupes' : `feeds "${gathering.id}", which joins, aggregates or dedupes`} rows, which a replay would do with a few of them`;
    return refused(
      `The step "${stepId}" of the task "${task.name}" ${what} instead of all: run the task again`,
    );
  }
  const load = task.steps.find(
    (one) => fed.has(one.id) && one.kind === 'load' && !ADDING_MODES.has(one.mode),
  );
  if (load?.kind === 'load')
    return refused(
      `The load "${load.id}" of the task "${task.name}" has the mode "${load.mode}": a replay would replace all rows by a few`,
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
