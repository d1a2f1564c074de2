import type { SetStateStep } from '../../../language/task/steps/control/set-state-step.ts';
import { type RunState, runScope } from '../../run-state.ts';

/** Keeps the values, one after another. A replay of failed rows leaves the state alone, as it does cursors. */
export async function runSetState(step: SetStateStep, run: RunState): Promise<void> {
  if (run.origins !== null) {
    run.ports.log('info', step.id, 'A replay does not change the task state');
    return;
  }
  // All of them see the state as it was before the step.
  const scope = runScope(run);
  const values: [string, unknown][] = [];
  for (const [name, template] of Object.entries(step.values))
    values.push([name, (await template.render(scope)) ?? null]);
  for (const [name, value] of values) await run.saved.set(step.id, name, value);
}
