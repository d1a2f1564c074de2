import { runPipeline } from './pipeline/run-pipeline.ts';
import type { Unit } from './plan/group-steps.ts';
import { runSingle } from './run-single.ts';
import { type RunState, type RunUnits, stateOf } from './run-state.ts';

/** Units one after another. */
export const runUnits: RunUnits = async (units, run) => {
  for (const unit of units) {
    if (run.end.isStopped) return;
    run.signal.throwIfAborted();
    if (unit.kind === 'pipeline') await runPipeline(unit, run);
    else await runSingle(unit, run);
    if (endsTask(unit, run)) run.end.isStopped = true;
  }
};

/** A `stop` that was not skipped, and has not failed the task, ends it. */
function endsTask(unit: Unit, run: RunState): boolean {
  if (unit.kind !== 'single' || unit.step.kind !== 'stop') return false;
  return stateOf(run, unit.step.id).status !== 'skipped';
}
