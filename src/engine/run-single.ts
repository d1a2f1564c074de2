import { sleep } from '../base/clock.ts';
import { isTrue } from '../language/truth.ts';
import { linkedController } from './linked-controller.ts';
import type { SingleUnit } from './plan/group-steps.ts';
import { logEnded, logSkipped, logStarted } from './report/step-report.ts';
import { type RunFault, toRunFault } from './run-fault.ts';
import { type RunState, runScope, stateOf } from './run-state.ts';
import { StepTimers } from './step-timers.ts';
import { untilAborted } from './until-aborted.ts';
import { waitToRetry } from './wait-to-retry.ts';

type SingleStep = SingleUnit['step'];

/** Runs a step that moves no rows, again where a failure may pass. Throws the `RunFault` that ends it. */
export async function runSingle({ step }: SingleUnit, run: RunState): Promise<void> {
  const state = stateOf(run, step.id);
  const { clock } = run.context;
  for (let attempt = 1; ; attempt++) {
    const fault = await attemptSingle(step, run);
    if (fault === null) return;
    if (run.signal.aborted || !fault.stepRetry || attempt >= step.retry.maxAttempts) {
      const own = !run.signal.aborted;
      state.end(own ? 'error' : 'cancelled', clock.now(), own ? fault.message : '');
      logEnded(run, state);
      // In a foreach `on_error` is about its items.
      const isSkipped = step.kind !== 'foreach' && step.onError.action === 'skip';
      if (own && (step.allowFailure || isSkipped)) return;
      throw fault;
    }
    await waitToRetry(run, step.retry, fault, attempt);
  }
}

async function attemptSingle(step: SingleStep, run: RunState): Promise<RunFault | null> {
  const state = stateOf(run, step.id);
  const { clock } = run.context;
  const controller = linkedController(run.signal);
  const timers = new StepTimers((fault) => controller.abort(fault));
  timers.start(step);
  try {
    controller.signal.throwIfAborted();
    if (step.when !== null && !step.whenPerItem && !isTrue(await step.when.evaluate(runScope(run)))) {
      state.end('skipped', clock.now());
      logSkipped(run, step, 'its condition is false');
      return null;
    }
    state.reset();
    state.start(clock.now());
    if (step.kind !== 'log') logStarted(run, state);
    const performed = perform(step, run, controller.signal);
    // Steps that hold others end when all of these have, each of which hears of the abort by itself.
    const held = await (holdsOthers(step) ? performed : untilAborted(performed, controller.signal));
    state.end(held ? 'success' : 'warning', clock.now());
    if (step.kind !== 'log') logEnded(run, state);
    return null;
  } catch (error) {
    return toRunFault(controller.signal.aborted ? controller.signal.reason : error, step.id);
  } finally {
    timers.clearAll();
    controller.unlink();
  }
}

function holdsOthers({ kind, bodies }: SingleStep): boolean {
  return bodies.length > 0 || kind === 'run_task';
}

/** False where the step ended with a warning. The code of a kind is loaded by the first step of it: few tasks have many. */
async function perform(step: SingleStep, run: RunState, signal: AbortSignal): Promise<boolean> {
  switch (step.kind) {
    case 'call':
      await (await import('./steps/call.ts')).runCall(step, run, signal);
      return true;
    case 'verify':
      return (await import('./verify/run-verify.ts')).runVerify(step, run, signal);
    case 'assert':
      return (await import('./steps/assert.ts')).runAssert(step, run);
    case 'log':
      await (await import('./steps/log.ts')).runLog(step, run);
      return true;
    case 'sleep':
      await sleep(step.durationMs, signal);
      return true;
    case 'stop':
      return (await import('./steps/stop.ts')).runStop(step, run);
    case 'set_state':
      await (await import('./steps/control/set-state.ts')).runSetState(step, run);
      return true;
    case 'foreach':
      return (await import('./steps/control/foreach.ts')).runForeach(step, run, signal);
    case 'branch':
      await (await import('./steps/control/branch.ts')).runBranch(step, run, signal);
      return true;
    case 'parallel':
      await (await import('./steps/control/parallel.ts')).runParallel(step, run, signal);
      return true;
    case 'run_task':
      return (await import('./steps/control/child-task.ts')).runChildTask(step, run, signal);
    default:
      return step satisfies never;
  }
}
