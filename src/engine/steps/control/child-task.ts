import type { Problem } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type { RunReplay } from '../../../base/run-report.ts';
import type { RunTaskStep } from '../../../language/task/steps/control/run-task-step.ts';
import { linkedController } from '../../linked-controller.ts';
import type { ChildPlan } from '../../plan/plan-task.ts';
import { resolveArguments } from '../../plan/resolve-arguments.ts';
import type { StepState } from '../../report/step-state.ts';
import type { RunPorts } from '../../run.ts';
import { RunFault } from '../../run-fault.ts';
import { innerId, type RunState, runScope, stateOf } from '../../run-state.ts';
import { waitToRetry } from '../../wait-to-retry.ts';
import { performTask } from './perform-task.ts';
import { TaskState } from './task-state.ts';

/**
 * Runs another task to its end, in this run, and again by its own `retry`. Its steps are reported as `<id>/<step>`, and so are its
 * log, its dead letters, and the names under which its cursors and values are kept. False where it ended with a warning.
 */
export async function runChildTask(step: RunTaskStep, run: RunState, signal: AbortSignal): Promise<boolean> {
  const { retry, deadlineMs } = childOf(step, run).plan.task;
  const limit = limited(step, deadlineMs, signal);
  try {
    for (let attempt = 1; ; attempt++) {
      const { fault, states } = await attemptTask(step, run, limit.signal);
      if (fault === null) return states.every(({ status }) => status !== 'warning' && status !== 'error');
      if (limit.signal.aborted || !fault.runRetry || attempt >= retry.maxAttempts) throw fault;
      await waitToRetry({ ...run, signal: limit.signal }, retry, fault, attempt);
      if (limit.signal.aborted) throw limit.signal.reason;
      for (const state of states) state.reset();
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    limit.end();
  }
}

interface Attempted {
  /** As a fault of the step. */
  readonly fault: RunFault | null;
  readonly states: readonly StepState[];
}

async function attemptTask(step: RunTaskStep, run: RunState, signal: AbortSignal): Promise<Attempted> {
  const limit = limited(step, childOf(step, run).plan.task.timeoutMs, signal);
  try {
    const inner = await childRun(step, run, limit.signal);
    const { fault, outputs } = await performTask(inner);
    const state = stateOf(run, step.id);
    state.output = outputs;
    const states = [...inner.states.values()];
    const sum = (kind: string, count: 'rows_in' | 'rows_out') =>
      states.reduce((total, { step, figures }) => total + (step.kind === kind ? figures[count] : 0), 0);
    state.figures.rows_in = sum('extract', 'rows_in');
    state.figures.rows_out = sum('load', 'rows_out');
    if (fault === null) return { fault, states };
    const { reason } = limit.signal;
    return { fault: reason instanceof RunFault ? reason : failureOf(step, fault), states };
  } finally {
    limit.end();
  }
}

/** A signal that aborts with `signal`, or when the other task has had its time; `end` stops the clock. */
function limited(step: RunTaskStep, limitMs: number | null, signal: AbortSignal) {
  const control = linkedController(signal);
  const timer =
    limitMs === null ? undefined : setTimeout(() => control.abort(tooLong(step, limitMs)), limitMs);
  return {
    signal: control.signal,
    end: () => {
      clearTimeout(timer);
      control.unlink();
    },
  };
}

/** The other task as a run of its own, which shares connections, time and end with the one around it. */
export async function childRun(step: RunTaskStep, run: RunState, signal: AbortSignal): Promise<RunState> {
  const { plan, connectors, callers } = childOf(step, run);
  const given = await step.args.render(runScope(run));
  const problems: Problem[] = [];
  const args = resolveArguments(plan.task.args, isRecord(given) ? given : {}, problems);
  const [problem] = problems;
  if (problem !== undefined) {
    const message = `The task "${step.task}" cannot run: ${problem.message}`;
    throw new RunFault('VALIDATION_ERROR', message, { reason: 'config_error', stepId: step.id });
  }
  const start = `${step.id}/`;
  const inside = [...run.states].flatMap(([id, state]) =>
    id.startsWith(start) ? [[id.slice(start.length), state] as const] : [],
  );
  const ports = portsOf(step, run.ports);
  const replay = replayInside(start, run.input.replay ?? null);
  return {
    ...run,
    input: { ...run.input, parsed: { ok: true, task: plan.task }, args, connectors, replay },
    ports,
    plan: { ...plan, args },
    states: new Map(inside),
    tally: run.tally.as(callers),
    origins: replay === null ? null : run.origins,
    signal,
    names: {},
    place: `${run.place}${start}`,
    saved: new TaskState(ports),
    idle: run.idle?.as(callers) ?? null,
    shared: run.shared.as(callers),
    end: { isStopped: false },
  };
}

/** The replay of a step of the other task, as that task names it. */
function replayInside(start: string, replay: RunReplay | null): RunReplay | null {
  if (replay?.step_id.startsWith(start) !== true) return null;
  return { ...replay, step_id: replay.step_id.slice(start.length) };
}

function childOf({ id }: RunTaskStep, { plan }: RunState): ChildPlan {
  const child = plan.children.get(id);
  if (child === undefined) throw new Error(`The plan has no task for "${id}"`);
  return child;
}

function portsOf({ id, task }: RunTaskStep, ports: RunPorts): RunPorts {
  return {
    ...ports,
    log: (level, stepId, message, fields) => ports.log(level, innerId(id, stepId), message, fields),
    progress: (progress) => ports.progress({ ...progress, step_id: innerId(id, progress.step_id) }),
    deadLetters: (items) =>
      ports.deadLetters(items.map((item) => ({ task, ...item, step_id: innerId(id, item.step_id) }))),
    checkpoint: (name) => ports.checkpoint(innerId(id, name)),
    saveCheckpoint: (name, value, version) => ports.saveCheckpoint(innerId(id, name), value, version),
  };
}

function failureOf({ id, task }: RunTaskStep, fault: RunFault): RunFault {
  const place = fault.stepId === '' ? '' : ` in its step "${fault.stepId}"`;
  return new RunFault(fault.code, `The task "${task}" failed${place}: ${fault.message}`, {
    reason: fault.reason,
    stepId: innerId(id, fault.stepId),
    runRetry: fault.runRetry,
    cause: fault,
  });
}

function tooLong({ id, task }: RunTaskStep, timeoutMs: number): RunFault {
  const message = `The task "${task}" did not finish within ${timeoutMs / 1000} s`;
  return new RunFault('TIMEOUT', message, { reason: 'timeout', stepId: id, runRetry: true });
}
