import type { RunFailure } from '../base/run-report.ts';
import type { Step } from '../language/task/steps/steps.ts';
import { linkedController } from './linked-controller.ts';
import { RunFault, toRunFault } from './run-fault.ts';
import type { RunState } from './run-state.ts';

/** Time of `on_failure` and `finally` together, beyond the time of the task. */
export const CLEANUP_MS_MAX = 60_000;

/**
 * Runs `on_failure`, where there is a fault that is not a cancel, and `finally`. The fault of the task stays; where it had none,
 * that of `finally` is the task's. A replay of failed rows runs neither.
 */
export async function runCleanup(run: RunState, fault: RunFault | null): Promise<RunFault | null> {
  const { task } = run.plan;
  if (run.origins !== null || (task.onFailure.length === 0 && task.finally.length === 0)) return fault;
  // A run that is out of time, or cancelled, still cleans up; one that is cancelled meanwhile does not go on.
  const { signal } = run.context;
  const control = linkedController(signal.aborted ? new AbortController().signal : signal);
  const timer = setTimeout(() => control.abort(tooLong()), CLEANUP_MS_MAX);
  try {
    if (fault !== null && fault.reason !== 'user') await runList(task.onFailure, run, control.signal, fault);
    const own = await runList(task.finally, run, control.signal, fault);
    return fault ?? own;
  } finally {
    clearTimeout(timer);
    control.unlink();
  }
}

async function runList(
  steps: readonly Step[],
  run: RunState,
  signal: AbortSignal,
  fault: RunFault | null,
): Promise<RunFault | null> {
  if (steps.length === 0) return null;
  const failure: RunFailure | null = fault && {
    code: fault.code,
    message: fault.message,
    step_id: fault.stepId,
  };
  const inner: RunState = { ...run, signal, names: { failure }, end: { isStopped: false } };
  try {
    await run.runUnits(run.plan.bodies.get(steps) ?? [], inner);
    return null;
  } catch (error) {
    const own = toRunFault(signal.aborted ? signal.reason : error, '');
    if (fault !== null) run.ports.log('error', own.stepId, `Cleanup also failed: ${own.message}`);
    return own;
  }
}

function tooLong(): RunFault {
  const message = `"on_failure" and "finally" did not finish within ${CLEANUP_MS_MAX / 1000} s`;
  return new RunFault('TIMEOUT', message, { reason: 'timeout', stepId: '' });
}
