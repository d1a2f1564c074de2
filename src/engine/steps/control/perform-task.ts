import type { RunOutcome } from '../../../base/run-report.ts';
import { everyStep } from '../../../language/task/parse-task.ts';
import { stateNames } from '../../../language/task/steps/steps.ts';
import { runCleanup } from '../../run-cleanup.ts';
import { RunFault, toRunFault } from '../../run-fault.ts';
import { type RunState, runScope } from '../../run-state.ts';

export interface EndedTask {
  readonly fault: RunFault | null;
  /** What its `outputs` gave; null where it has not ended well. */
  readonly outputs: RunOutcome['outputs'];
}

/** The steps of a task and what cleans up after them; throws only for faults of the engine itself. */
export async function performTask(run: RunState): Promise<EndedTask> {
  const ended = await runSteps(run);
  const fault = await runCleanup(run, ended.fault);
  return { fault, outputs: fault === null ? ended.outputs : null };
}

async function runSteps(run: RunState): Promise<EndedTask> {
  try {
    await run.saved.read(everyStep(run.plan.task).flatMap(stateNames));
    await run.runUnits(run.plan.units, run);
    return { fault: null, outputs: await outputsOf(run) };
  } catch (error) {
    if (error instanceof RunFault) return { fault: error, outputs: null };
    throw error;
  }
}

/** JSON of all outputs of a run, in UTF-16 units. */
export const OUTPUTS_CHARS_MAX = 128 * 1024;

/** What the task gives; null where it declares nothing, and in a replay, which runs a part of it. */
async function outputsOf(run: RunState): Promise<RunOutcome['outputs']> {
  const declared = Object.entries(run.plan.task.outputs);
  if (declared.length === 0 || run.origins !== null) return null;
  const scope = runScope(run);
  const outputs: Record<string, unknown> = {};
  try {
    for (const [name, template] of declared) outputs[name] = (await template.render(scope)) ?? null;
  } catch (error) {
    throw toRunFault(error, '');
  }
  const length = JSON.stringify(outputs).length;
  if (length <= OUTPUTS_CHARS_MAX) return outputs;
  const message = `"outputs" are too large: ${length} characters of JSON, at most ${OUTPUTS_CHARS_MAX}; load what is large`;
  throw new RunFault('OUTPUT_TOO_LARGE', message, { reason: 'task_error', stepId: '' });
}
