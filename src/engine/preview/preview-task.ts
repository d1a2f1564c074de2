import { isRecord } from '../../base/json.ts';
import type { RunFailure } from '../../base/run-report.ts';
import type { Batch, Row } from '../../drivers/driver.ts';
import type { ForeachStep } from '../../language/task/steps/control/foreach-step.ts';
import { allSteps, bodiesOf, type Step } from '../../language/task/steps/steps.ts';
import { isTrue } from '../../language/truth.ts';
import { linkedController } from '../linked-controller.ts';
import type { Unit } from '../plan/group-steps.ts';
import { planFault } from '../plan/plan-fault.ts';
import { planTask, type TaskPlan } from '../plan/plan-task.ts';
import type { RunInput, RunPorts } from '../run.ts';
import type { RunContext } from '../run-context.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import { createRunState, type RunState, runScope, stateOf } from '../run-state.ts';
import { runUnits } from '../run-units.ts';
import { takenCase } from '../steps/control/branch.ts';
import { childRun } from '../steps/control/child-task.ts';
import { effectOf } from './preview-effects.ts';
import { scriptSome } from './preview-script.ts';
import {
  type Made,
  madeOf,
  notExecuted,
  PREVIEW_ROWS_MAX,
  type PreviewOptions,
  type PreviewOutcome,
  type PreviewStep,
  previewed,
  querySome,
  readSome,
} from './preview-steps.ts';
import { transformSome } from './preview-transform.ts';

/** Time of a preview without one of its own, in milliseconds. */
export const PREVIEW_TIMEOUT_MS = 12_000;

/**
 * Shows what a task would do: its extracts read at most `rowsMax` rows (1 to 100) each, read-only, its transforms change
 * them and its queries join them. What has effects is not executed: of loads, calls that write, logs, set_state, sleep and stop the
 * preview tells what they would have done. Calls that only read are made, and asserts checked. Of a branch the case that holds is
 * shown, of a foreach its steps for the first item, and of a run_task those of the other task. Item errors are reported and never end it. Cursors start at `initial`.
 */
export async function previewTask(
  input: RunInput,
  context: RunContext,
  { rowsMax, given }: PreviewOptions,
): Promise<PreviewOutcome> {
  const planned = planTask(input, context);
  if (!planned.ok) return { failure: failureOf(planFault(planned.problems)), steps: [], looked: {} };
  const control = linkedController(context.signal);
  const timeoutMs = input.timeoutMs > 0 ? input.timeoutMs : PREVIEW_TIMEOUT_MS;
  const late = `The preview did not finish within ${timeoutMs / 1_000} s`;
  const timer = setTimeout(
    () => control.abort(new RunFault('TIMEOUT', late, { reason: 'timeout', stepId: '' })),
    timeoutMs,
  );
  const run = createRunState({
    input,
    ports: silentPorts,
    context,
    plan: planned.plan,
    signal: control.signal,
    runUnits,
  });
  try {
    const limit = Math.max(1, Math.min(PREVIEW_ROWS_MAX, Math.trunc(rowsMax)));
    return await previewTop(run, { rowsMax: limit, given });
  } finally {
    clearTimeout(timer);
    control.unlink();
    await run.shared.close();
  }
}

type Shown = ReadonlyMap<string, PreviewStep>;

/** A preview under way: what its steps have shown so far. */
interface Preview {
  readonly options: PreviewOptions;
  readonly shown: Map<string, PreviewStep>;
  readonly looked: Record<string, readonly Row[]>;
  /** The `run_task` steps around, each with a slash behind it. */
  readonly place: string;
}

async function previewTop(run: RunState, options: PreviewOptions): Promise<PreviewOutcome> {
  const preview = { options, shown: new Map<string, PreviewStep>(), looked: {}, place: '' };
  const failure = await previewUnits(run.plan.units, run, preview);
  return { failure, steps: shownSteps(run.plan, preview.shown), looked: preview.looked };
}

/** Without those that clean up; the steps of another task come after the step that runs it. */
function shownSteps({ task, children }: TaskPlan, shown: Shown, place = ''): readonly PreviewStep[] {
  return allSteps(task.steps).flatMap((step) => {
    const id = `${place}${step.id}`;
    const child = children.get(step.id);
    const inside = child === undefined ? [] : shownSteps(child.plan, shown, `${id}/`);
    return [shown.get(id) ?? { ...notExecuted(step), step_id: id }, ...inside];
  });
}

async function previewUnits(
  units: readonly Unit[],
  run: RunState,
  preview: Preview,
): Promise<RunFailure | null> {
  for (const unit of units) {
    const steps = unit.kind === 'pipeline' ? unit.steps : [unit.step];
    const failure = await previewSteps(steps, run, preview);
    if (failure !== null) return failure;
  }
  return null;
}

async function previewSteps(
  steps: readonly Step[],
  run: RunState,
  preview: Preview,
): Promise<RunFailure | null> {
  const given = new Map<string, readonly Batch[]>();
  const { clock } = run.context;
  for (const step of steps) {
    if (run.end.isStopped) return null;
    const from = clock.now();
    try {
      if (step.when !== null && !step.whenPerItem && !isTrue(await step.when.evaluate(runScope(run))))
        continue;
      const input = step.input === null ? [] : given.get(step.input);
      if (input === undefined) continue;
      if (step.sources.some((id) => !given.has(id))) continue;
      const made = await previewStep(step, run, input, given, preview);
      if (made === null) continue;
      given.set(step.id, made.batches);
      if (made.looked !== undefined) preview.looked[`${preview.place}${step.id}`] = made.looked;
      show(preview, previewed(step, made, clock.now() - from));
      const state = stateOf(run, step.id);
      state.figures.rows_out = made.batches.reduce((sum, batch) => sum + batch.rows.length, 0);
      state.output = made.output ?? null;
      state.end('success', clock.now());
      const failure = await previewInside(step, made, run, preview);
      if (failure !== null) return failure;
    } catch (error) {
      const { code, message } = run.context.signal.aborted
        ? { code: 'CANCELLED', message: 'The preview was cancelled' }
        : toRunFault(run.signal.aborted ? run.signal.reason : error, step.id);
      show(preview, { ...notExecuted(step), status: 'error', duration_ms: clock.now() - from });
      return { code, message, step_id: `${preview.place}${step.id}` };
    }
  }
  return null;
}

function show({ shown, place }: Preview, step: PreviewStep): void {
  const step_id = `${place}${step.step_id}`;
  shown.set(step_id, { ...step, step_id });
}

/** null for a step that is not executed. */
async function previewStep(
  step: Step,
  run: RunState,
  input: readonly Batch[],
  given: ReadonlyMap<string, readonly Batch[]>,
  { options, place }: Preview,
): Promise<Made | null> {
  if (step.kind === 'extract') return readSome(step, run, options, `${place}${step.id}`);
  if (step.kind === 'transform') {
    const found = options.given === undefined ? null : (options.given.get(`${place}${step.id}`) ?? []);
    return transformSome(step, run, input, step.ops, { given, found });
  }
  if (step.kind === 'script') return scriptSome(step, run, input);
  if (step.kind === 'sql') return querySome(step, run, given);
  if (step.kind === 'branch' || step.kind === 'parallel' || step.kind === 'run_task') return madeOf([]);
  return step.kind === 'foreach' ? itemsOf(step, run, input, options) : effectOf(step, run, input, options);
}

/** The items, as rows: one that is no record is shown under the name by which expressions read it. */
async function itemsOf(
  step: ForeachStep,
  run: RunState,
  input: readonly Batch[],
  { rowsMax }: PreviewOptions,
): Promise<Made> {
  const found = step.items === null ? [] : ((await step.items.evaluate(runScope(run))) ?? []);
  const listed = Array.isArray(found) ? found : [found];
  const items = step.items === null ? input.flatMap((batch) => batch.rows) : listed;
  const rows = items.slice(0, rowsMax).map((item) => (isRecord(item) ? item : { [step.itemName]: item }));
  const note = items.length > 1 ? [`Steps are shown for the first of ${items.length} items`] : [];
  return { ...madeOf(rows), rows_in: items.length, warnings: note, first: items[0] };
}

/** The steps inside one that holds others. */
async function previewInside(
  step: Step,
  made: Made,
  run: RunState,
  preview: Preview,
): Promise<RunFailure | null> {
  const bodies = bodiesOf(step);
  const unitsIn = (body: readonly Step[] | undefined) =>
    (body === undefined ? undefined : run.plan.bodies.get(body)) ?? [];
  if (step.kind === 'branch') return previewUnits(unitsIn(bodies[await takenCase(step, run)]), run, preview);
  if (step.kind === 'parallel') return previewUnits(unitsIn(bodies[0]), run, preview);
  if (step.kind === 'run_task') {
    const inner = await childRun(step, run, run.signal);
    return previewUnits(inner.plan.units, inner, { ...preview, place: `${preview.place}${step.id}/` });
  }
  if (step.kind !== 'foreach' || made.rows_in === 0) return null;
  const names = { ...run.names, [step.itemName]: made.first, index: 0 };
  return previewUnits(unitsIn(bodies[0]), { ...run, names }, preview);
}

function failureOf({ code, message, stepId }: RunFault): RunFailure {
  return { code, message, step_id: stepId };
}

/** A preview reports by its outcome alone. */
export const silentPorts: RunPorts = {
  log: () => undefined,
  progress: () => undefined,
  metric: () => undefined,
  deadLetters: async () => undefined,
  checkpoint: async () => ({ value: null, version: 0 }),
  saveCheckpoint: async (_name, _value, expectedVersion) => ({ version: expectedVersion, stored: false }),
  replayRows: async () => [],
};
