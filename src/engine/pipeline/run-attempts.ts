import { stepsInside } from '../../language/task/steps/steps.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { logEnded } from '../report/step-report.ts';
import { type RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { waitToRetry } from '../wait-to-retry.ts';
import { PipelineAttempt } from './pipeline-attempt.ts';

/**
 * Runs the steps of a pipeline, again from its extract where a failure may pass and nothing has been committed. Throws the
 * `RunFault` that ends it; a step that may fail ends the pipeline without one. `loadsOff`: it has loads, and none of them is wanted.
 */
export async function runAttempts(
  steps: readonly StreamStep[],
  run: RunState,
  loadsOff: boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const mayRetry = (fault: RunFault) => fault.stepRetry && attempt < policyOf(steps, fault).maxAttempts;
    const failed = await new PipelineAttempt({ run, steps, loadsOff, mayRetry }).perform();
    if (failed === null) return;
    const { fault, committed } = failed;
    endFailed(steps, run, fault);
    if (committed || run.signal.aborted || !mayRetry(fault)) {
      if (failedOf(steps, fault)?.allowFailure === true && !run.signal.aborted) return;
      throw fault;
    }
    await waitToRetry(run, policyOf(steps, fault), fault, attempt);
    if (run.signal.aborted) throw toRunFault(run.signal.reason, '');
    for (const step of steps) stateOf(run, step.id).reset();
  }
}

export function stepOf(steps: readonly StreamStep[], fault: RunFault): StreamStep | undefined {
  return steps.find((step) => step.id === fault.stepId);
}

/** The step at fault, or the foreach that it stands in. */
function failedOf(steps: readonly StreamStep[], fault: RunFault): StreamStep | undefined {
  return (
    stepOf(steps, fault) ?? steps.find((step) => stepsInside(step).some(({ id }) => id === fault.stepId))
  );
}

function policyOf(steps: readonly StreamStep[], fault: RunFault): StreamStep['retry'] {
  const step = stepOf(steps, fault) ?? steps[0];
  if (step === undefined) throw new Error('A pipeline has at least one step');
  return step.retry;
}

/** The step at fault, or the foreach that it stands in, ends in error, the others that had not ended with it; no load that did not commit has loaded rows. */
export function endFailed(steps: readonly StreamStep[], run: RunState, fault: RunFault): void {
  const now = run.context.clock.now();
  const failed = failedOf(steps, fault);
  for (const step of steps) {
    const state = stateOf(run, step.id);
    const own = step === failed;
    if (state.status !== 'running' && state.status !== 'pending' && !own) continue;
    if (step.kind === 'load' && !state.isCommitted) state.figures.rows_out = 0;
    state.end(own ? 'error' : 'cancelled', now, own ? fault.message : '');
    logEnded(run, state);
  }
}
