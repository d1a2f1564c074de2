import type { ParallelStep } from '../../../language/task/steps/control/parallel-step.ts';
import { bodiesOf } from '../../../language/task/steps/steps.ts';
import { linkedController } from '../../linked-controller.ts';
import { type Unit, unitNeeds } from '../../plan/group-steps.ts';
import { toRunFault } from '../../run-fault.ts';
import type { RunState } from '../../run-state.ts';

/** Runs the units of its steps at the same time, each after those that it needs. The first that fails ends the others. */
export async function runParallel(step: ParallelStep, run: RunState, signal: AbortSignal): Promise<void> {
  const control = linkedController(signal);
  const inner: RunState = { ...run, signal: control.signal };
  const units = bodiesOf(step).flatMap((body) => run.plan.bodies.get(body) ?? []);
  const needs = unitNeeds(units);
  const waiting = [...units];
  const ended = new Set<Unit>();
  const running = new Map<Unit, Promise<void>>();
  const begin = (unit: Unit) => {
    const ends = async () => {
      try {
        await run.runUnits([unit], inner);
      } catch (error) {
        control.abort(control.signal.aborted ? control.signal.reason : toRunFault(error, step.id));
      }
      running.delete(unit);
      ended.add(unit);
    };
    running.set(unit, ends());
  };
  try {
    for (;;) {
      const at = waiting.findIndex((unit) => [...(needs.get(unit) ?? [])].every((need) => ended.has(need)));
      const mayBegin = !control.signal.aborted && !run.end.isStopped && running.size < step.concurrency;
      const [next] = mayBegin && at >= 0 ? waiting.splice(at, 1) : [];
      if (next !== undefined) begin(next);
      else if (running.size > 0) await Promise.race(running.values());
      else break;
    }
    control.signal.throwIfAborted();
  } finally {
    control.unlink();
  }
}
