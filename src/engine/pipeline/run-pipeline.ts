import { inputsOf } from '../../language/task/steps/step-kind.ts';
import { isTrue } from '../../language/truth.ts';
import { dividedOf } from '../partition/divided.ts';
import type { PipelineUnit, StreamStep } from '../plan/group-steps.ts';
import { logSkipped } from '../report/step-report.ts';
import { toRunFault } from '../run-fault.ts';
import { type RunState, runScope, stateOf } from '../run-state.ts';
import { runAttempts } from './run-attempts.ts';

/** Runs a pipeline, in parts where its extract is divided. Throws the `RunFault` that ends it. */
export async function runPipeline(unit: PipelineUnit, run: RunState): Promise<void> {
  const steps = await wantedSteps(unit, run);
  if (steps.length === 0) return;
  const loads = unit.steps.filter((step) => step.kind === 'load');
  const loadsOff = loads.length > 0 && !loads.some((load) => steps.includes(load));
  const divided = loadsOff ? null : dividedOf(steps, run);
  if (divided === null) return runAttempts(steps, run, loadsOff);
  const { runParts } = await import('../partition/run-parts.ts');
  await runParts(divided, run);
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
