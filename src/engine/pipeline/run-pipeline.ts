import { inputsOf } from '../../language/task/steps/step-kind.ts';
import { isTrue } from '../../language/truth.ts';
import type { PipelineUnit, StreamStep } from '../plan/group-steps.ts';
import { logEnded, logSkipped } from '../report/step-report.ts';
import { type RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, runScope, stateOf } from '../run-state.ts';
import { waitToRetry } from '../wait-to-retry.ts';
import { PipelineAttempt } from './pipeline-attempt.ts';

/**
 * Runs a pipeline, again from its extract where a failure may pass and nothing has been committed. Throws the `RunFault` that
 * ends it; a step that may fail ends the pipeline without one.
 */
export async function runPipeline(unit: PipelineUnit, run: RunState): Promise<void> {
  const steps = await wantedSteps(unit, run);
  if (steps.length === 0) return;
  const loads = unit.steps.filter((step) => step.kind === 'load');
  const loadsOff = loads.length > 0 && !loads.some((load) => steps.includes(load));
  for (let attempt = 1; ; attempt++) {
    const mayRetry = (fault: RunFault) => fault.stepRetry && attempt < policyOf(steps, fault).maxAttempts;
    const failed = await new PipelineAttempt({ run, steps, loadsOff, mayRetry }).perform();
    if (failed === null) return;
    const { fault, committed } = failed;
    endFailed(steps, run, fault);
    if (committed || run.signal.aborted || !mayRetry(fault)) {
      if (stepOf(steps, fault)?.allowFailure === true && !run.signal.aborted) return;
      throw fault;
    }
    await waitToRetry(run, policyOf(steps, fault), fault, attempt);
    if (run.signal.aborted) throw toRunFault(run.signal.reason, '');
    for (const step of steps) stateOf(run, step.id).reset();
  }
}

/** The steps whose `when` holds and whose input runs; the others end as skipped. */
async function wantedSteps(unit: PipelineUnit, run: RunState): Promise<StreamStep[]> {
  const wanted: StreamStep[] = [];
  const ids = new Set<string>();
  for (const step of unit.steps) {
    const off = step === unit.steps[0] ? undefined : inputsOf(step).find((id) => !ids.has(id));
    const fed = off === undefined;
    if (fed && (await isWanted(step, run))) {
      wanted.push(step);
      ids.add(step.id);
    } else {
      stateOf(run, step.id).end('skipped', run.context.clock.now());
      const why = fed ? 'its condition is false' : `"${off}" is skipped`;
      logSkipped(run, step, why);
    }
  }
  return wanted;
}

async function isWanted(step: StreamStep, run: RunState): Promise<boolean> {
  if (step.when === null || step.whenPerItem) return true;
  try {
    return isTrue(await step.when.evaluate(runScope(run)));
  } catch (error) {
    const fault = toRunFault(error, step.id);
    stateOf(run, step.id).end('error', run.context.clock.now(), fault.message);
    throw fault;
  }
}

function stepOf(steps: readonly StreamStep[], fault: RunFault): StreamStep | undefined {
  return steps.find((step) => step.id === fault.stepId);
}

function policyOf(steps: readonly StreamStep[], fault: RunFault): StreamStep['retry'] {
  const step = stepOf(steps, fault) ?? steps[0];
  if (step === undefined) throw new Error('A pipeline has at least one step');
  return step.retry;
}

/** The step at fault ends in error, the others that had not ended with it; no load that did not commit has loaded rows. */
function endFailed(steps: readonly StreamStep[], run: RunState, fault: RunFault): void {
  const now = run.context.clock.now();
  for (const step of steps) {
    const state = stateOf(run, step.id);
    const own = step.id === fault.stepId;
    if (state.status !== 'running' && state.status !== 'pending' && !own) continue;
    if (step.kind === 'load') state.figures.rows_out = 0;
    state.end(own ? 'error' : 'cancelled', now, own ? fault.message : '');
    logEnded(run, state);
  }
}
