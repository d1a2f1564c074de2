import type { Problem } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type { RunReplay } from '../../../base/run-report.ts';
import type { RunTaskStep } from '../../../language/task/steps/control/run-task-step.ts';
import { linkedController } from '../../linked-controller.ts';
import type { ChildPlan } from '../../plan/plan-task.ts';
import { resolveArguments } from '../../plan/resolve-arguments.ts';
import type { RunPorts } from '../../run.ts';
import { RunFault } from '../../run-fault.ts';
import { innerId, type RunState, runScope, stateOf } from '../../run-state.ts';
import { performTask } from './perform-task.ts';
import { TaskState } from './task-state.ts';

/**
 * Runs another task to its end, in this run. Its steps are reported as `<id>/<step>`, and so are its log, its dead letters, and the
 * names under which its cursors and values are kept. False where it ended with a warning.
 */
export async function runChildTask(step: RunTaskStep, run: RunState, signal: AbortSignal): Promise<boolean> {
  const { timeoutMs, deadlineMs } = childOf(step, run).plan.task;
  const limits = [timeoutMs, deadlineMs].filter((ms) => ms !== null);
  const limitMs = limits.length === 0 ? null : Math.min(...limits);
  const control = linkedController(signal);
  const timer =
    limitMs === null ? undefined : setTimeout(() => control.abort(tooLong(step, limitMs)), limitMs);
  try {
    const inner = await childRun(step, run, control.signal);
    const { fault, outputs } = await performTask(inner);
    const state = stateOf(run, step.id);
    state.output = outputs;
    const states = [...inner.states.values()];
    const sum = (kind: string, count: 'rows_in' | 'rows_out') =>
      states.reduce((total, { step, figures }) => total + (step.kind === kind ? figures[count] : 0), 0);
    state.figures.rows_in = sum('extract', 'rows_in');
    state.figures.rows_out = sum('load', 'rows_out');
    if (fault !== null) throw signal.aborted ? signal.reason : failureOf(step, fault);
    return states.every(({ status }) => status !== 'warning' && status !== 'error');
  } finally {
    clearTimeout(timer);
    control.unlink();
  }
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
