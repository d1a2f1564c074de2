import type { StopStep } from '../../language/task/steps/stop-step.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';

/** Says why the task ends here; false where it ends with a warning. One of status `error` throws `STOPPED`. */
export async function runStop(step: StopStep, run: RunState): Promise<boolean> {
  const text = step.message === null ? null : await step.message.render(runScope(run));
  const message = text === null ? `The step "${step.id}" ended the task` : String(text);
  if (step.status === 'error')
    throw new RunFault('STOPPED', message, { reason: 'task_error', stepId: step.id });
  run.ports.log(step.status === 'warning' ? 'warn' : 'info', step.id, message);
  return step.status === 'success';
}
