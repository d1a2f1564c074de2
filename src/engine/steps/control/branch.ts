import type { BranchStep } from '../../../language/task/steps/control/branch-step.ts';
import { allSteps, bodiesOf, type Step } from '../../../language/task/steps/steps.ts';
import { isTrue } from '../../../language/truth.ts';
import { logSkipped } from '../../report/step-report.ts';
import { type RunState, runScope, stateOf } from '../../run-state.ts';

/** Runs the steps of the first case that holds, or those of `else`; all others end as skipped. */
export async function runBranch(step: BranchStep, run: RunState, signal: AbortSignal): Promise<void> {
  const bodies = bodiesOf(step);
  const taken = bodies[await takenCase(step, run)];
  for (const body of bodies.filter((one) => one !== taken)) endSkipped(body, run);
  if (taken === undefined) return;
  const { plan, runUnits } = run;
  await runUnits(plan.bodies.get(taken) ?? [], { ...run, signal });
}

/** The number of the first case that holds; that of `else`, which comes after the cases, where none does. */
export async function takenCase({ conditions }: BranchStep, run: RunState): Promise<number> {
  const scope = runScope(run);
  for (const [index, condition] of conditions.entries()) {
    if (isTrue(await condition.evaluate(scope))) return index;
  }
  return conditions.length;
}

function endSkipped(steps: readonly Step[], run: RunState): void {
  const now = run.context.clock.now();
  for (const step of allSteps(steps)) {
    stateOf(run, step.id).end('skipped', now);
    logSkipped(run, step, 'its case was not taken');
  }
}
