import type { LogStep } from '../../language/task/steps/log-step.ts';
import { type RunState, runScope } from '../run-state.ts';

/** Writes one line to the run's log. */
export async function runLog(step: LogStep, run: RunState): Promise<void> {
  const message = await step.message.render(runScope(run));
  run.ports.log(step.level, step.id, typeof message === 'string' ? message : JSON.stringify(message ?? null));
}
