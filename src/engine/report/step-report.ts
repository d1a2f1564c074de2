import { formatCount } from '../../base/text/format-figures.ts';
import type { RunState } from '../run-state.ts';
import type { StepState } from './step-state.ts';

/** Shortest time between two progress reports of a step. */
export const PROGRESS_INTERVAL_MS = 250;

export function logStarted(
  run: RunState,
  state: StepState,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const again = state.attempts > 1 ? ` (attempt ${state.attempts})` : '';
  run.ports.log('info', state.step.id, `${state.step.kind} started${again}`, fields);
}

/** How the step ended, in one line with its rows, its time and its rate, and its last progress. */
export function logEnded(run: RunState, state: StepState): void {
  tellProgress(run, state, true);
  const durationMs = Math.max(0, state.endedAt - state.startedAt);
  const parts = [`${state.step.kind} ended: ${state.status}`];
  const rows = Math.max(state.rowsIn, state.rowsOut);
  if (rows > 0) parts.push(`${formatCount(state.rowsOut)} rows`);
  if (state.rowsFailed > 0) parts.push(`${formatCount(state.rowsFailed)} failed`);
  if (state.rowsSkipped > 0) parts.push(`${formatCount(state.rowsSkipped)} skipped by condition`);
  parts.push(`${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 0)} s`);
  const rate = rateOf(rows, durationMs);
  if (rows > 0) parts.push(`${formatCount(rate)} rows/s`);
  const level = state.status === 'error' ? 'error' : state.status === 'warning' ? 'warn' : 'info';
  run.ports.log(level, state.step.id, parts.join(', '), {
    rows_in: state.rowsIn,
    rows_out: state.rowsOut,
    rows_failed: state.rowsFailed,
    rows_skipped: state.rowsSkipped,
    duration_ms: durationMs,
    rows_per_second: Math.round(rate),
    attempts: state.attempts,
    ...(state.error === '' ? {} : { error: state.error }),
  });
}

/** Called for every batch; tells the ports at most every `PROGRESS_INTERVAL_MS`, and whenever `force` is set. */
export function tellProgress(run: RunState, state: StepState, force = false): void {
  const now = run.context.clock.now();
  if (!force && now - state.reportedAt < PROGRESS_INTERVAL_MS) return;
  state.reportedAt = now;
  run.ports.progress({
    stepId: state.step.id,
    rowsIn: state.rowsIn,
    rowsOut: state.rowsOut,
    rowsFailed: state.rowsFailed,
    rowsPerSecond: Math.round(rateOf(Math.max(state.rowsIn, state.rowsOut), now - state.startedAt)),
    ratio: -1,
  });
}

function rateOf(rows: number, durationMs: number): number {
  return (rows * 1000) / Math.max(1, durationMs);
}
