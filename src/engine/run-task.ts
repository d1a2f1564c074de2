import type { RunOutcome } from '../base/run-report.ts';
import type { Task } from '../language/task/parse-task.ts';
import { isFanOut } from '../language/template/fan-out.ts';
import { planFault } from './plan/plan-fault.ts';
import { planTask } from './plan/plan-task.ts';
import { reportMetrics, startGauges } from './report/report-metrics.ts';
import type { RunInput, RunPorts } from './run.ts';
import type { RunContext } from './run-context.ts';
import { RunFault } from './run-fault.ts';
import { createRunState, type RunState, usesOf } from './run-state.ts';
import { runUnits } from './run-units.ts';
import { performTask } from './steps/control/perform-task.ts';

/**
 * Runs a task to its end and tells how it ended; it throws only for faults of the engine itself. Everything that can be known
 * to be wrong is checked before the first side effect. When `context.signal` aborts, nothing more is pulled, loads that have
 * not committed leave their targets as they were, and the run ends `cancelled`, whatever a connector does meanwhile.
 */
export async function runTask(input: RunInput, ports: RunPorts, context: RunContext): Promise<RunOutcome> {
  const planned = planTask(input, context);
  if (!planned.ok) {
    const fault = planFault(planned.problems);
    ports.log('error', '', fault.message, { code: fault.code });
    return { ...outcomeOf(null, fault), args: input.args };
  }
  const { plan } = planned;
  const control = new AbortController();
  const cancel = () =>
    control.abort(new RunFault('CANCELLED', 'The run was cancelled', { reason: 'user', stepId: '' }));
  if (context.signal.aborted) cancel();
  else context.signal.addEventListener('abort', cancel, { once: true });
  const timer = limitTask(plan.task.timeoutMs, input.timeoutMs, control);
  const run = createRunState({ input, ports, context, plan, signal: control.signal, runUnits });
  const startedAt = context.clock.now();
  const measured = !wantsNoMetrics(plan.task);
  const endGauges = measured ? startGauges(run) : () => undefined;
  try {
    const { fault, outputs } = await performTask(run);
    const outcome = outcomeOf(run, fault, outputs);
    logOutcome(run, outcome);
    if (measured) reportMetrics(run, outcome, startedAt);
    // After the metrics, which have no use for a name per item.
    const items = [...run.states.values()].flatMap((state) => state.items);
    return items.length === 0 ? outcome : { ...outcome, steps: [...outcome.steps, ...items] };
  } finally {
    clearTimeout(timer);
    endGauges();
    await run.shared.close();
    context.signal.removeEventListener('abort', cancel);
  }
}

/** A task whose own `metrics` section names nothing but `noop` is not measured, whatever the server has. */
function wantsNoMetrics({ metrics }: Task): boolean {
  return metrics?.every(({ backend }) => backend === 'noop') === true;
}

function limitTask(
  taskMs: number | null,
  runMs: number,
  control: AbortController,
): NodeJS.Timeout | undefined {
  const limits = [taskMs ?? 0, runMs].filter((ms) => ms > 0);
  if (limits.length === 0) return undefined;
  const limitMs = Math.min(...limits);
  const fault = new RunFault('TIMEOUT', `The task did not finish within ${limitMs / 1000} s`, {
    reason: 'timeout',
    stepId: '',
    runRetry: true,
  });
  return setTimeout(() => control.abort(fault), limitMs);
}

function outcomeOf(
  run: RunState | null,
  fault: RunFault | null,
  outputs: RunOutcome['outputs'] = null,
): RunOutcome {
  const steps = run === null ? [] : [...run.states].map(([id, state]) => state.result(id));
  const sum = (of: (step: (typeof steps)[number]) => number, kinds?: string) =>
    steps.reduce((total, step) => (kinds === undefined || step.kind === kinds ? total + of(step) : total), 0);
  const rows_failed = sum((step) => step.rows_failed);
  const odd = steps.some((step) => step.status === 'warning' || step.status === 'error');
  const cancelled = fault !== null && fault.reason === 'user';
  const ended = odd ? ('warning' as const) : ('success' as const);
  const oddReason = rows_failed > 0 ? 'item_errors' : 'task_error';
  return {
    status: fault === null ? ended : cancelled ? 'cancelled' : 'error',
    reason: fault?.reason ?? (odd ? oddReason : ''),
    failure: fault === null ? null : { code: fault.code, message: fault.message, step_id: fault.stepId },
    rows_in: rowsInOf(run, steps),
    rows_out: sum((step) => step.rows_out, 'load'),
    rows_failed,
    rows_skipped: sum((step) => step.rows_skipped),
    rows_filtered: sum((step) => step.rows_filtered),
    rows_deleted: sum((step) => step.rows_deleted),
    steps,
    // Each item of a node with `foreach_expr` has its own.
    args: run === null || isFanOut(run.plan.task) ? null : run.plan.args,
    outputs,
    retryable: fault?.runRetry ?? false,
    ...(run !== null && usesOf(run)),
  };
}

/** What came in from outside: from the sources, or, in a replay, from the dead letters. */
function rowsInOf(run: RunState | null, steps: RunOutcome['steps']): number {
  const replayed = run?.input.replay?.step_id;
  const from = steps.filter((step) =>
    replayed === undefined ? step.kind === 'extract' : step.step_id === replayed,
  );
  return from.reduce((total, step) => total + step.rows_in, 0);
}

function logOutcome(run: RunState, outcome: RunOutcome): void {
  const level = outcome.status === 'error' ? 'error' : outcome.status === 'warning' ? 'warn' : 'info';
  const why = outcome.failure === null ? '' : `: ${outcome.failure.message}`;
  run.ports.log(level, '', `Task "${run.plan.task.name}" ended: ${outcome.status}${why}`, {
    rows_in: outcome.rows_in,
    rows_out: outcome.rows_out,
    rows_failed: outcome.rows_failed,
    rows_skipped: outcome.rows_skipped,
    rows_filtered: outcome.rows_filtered,
    rows_deleted: outcome.rows_deleted,
  });
}
