import type { AssertStep } from '../../language/task/steps/assert-step.ts';
import { isTrue } from '../../language/truth.ts';
import { RunFault } from '../run-fault.ts';
import { type RunState, runScope } from '../run-state.ts';

/** Checks; tells whether the check held. One of severity `error` that does not throws `ASSERTION_FAILED`. */
export async function runAssert(step: AssertStep, run: RunState): Promise<boolean> {
  const scope = runScope(run);
  if (isTrue(await step.check.evaluate(scope))) return true;
  const text = step.message === null ? null : await step.message.render(scope);
  const message = text === null ? `The check "${step.check.source}" does not hold` : String(text);
  if (step.severity === 'error') {
    throw new RunFault('ASSERTION_FAILED', message, { reason: 'task_error', stepId: step.id });
  }
  run.ports.log('warn', step.id, message);
  return false;
}
