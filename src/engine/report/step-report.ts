import { formatCount } from '../../base/text/format-figures.ts';
import type { RunState } from '../run-state.ts';
import type { StepState } from './step-state.ts';

/** Shortest time between two progress reports of a step. */
export const PROGRESS_INTERVAL_MS = 250;

/** Items of a foreach that fail are told by the foreach. */
export function logStarted(
  run: RunState,
  state: StepState,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  if (run.isQuiet) return;
  const again = state.figures.attempts > 1 ? ` (attempt ${state.figures.attempts})` : '';
  run.ports.log('info', state.step.id, `${state.step.kind} started${again}`, fields);
}

/** How the step ended, in one line with its rows, its time and its rate, and its last progress. */
export function logEnded(run: RunState, state: StepState): void {
  tellProgress(run, state, true);
  if (run.isQuiet) return;
  const { attempts, started_at, ended_at, ...counts } = state.figures;
  const { rows_in, rows_out, rows_failed, rows_skipped, rows_filtered, rows_deleted } = counts;
  const durationMs = Math.max(0, ended_at - started_at);
  const parts = [`${state.step.kind} ended: ${state.status}`];
  const rows = Math.max(rows_in, rows_out);
  if (rows > 0) parts.push(`${formatCount(rows_out)} rows`);
  if (rows_failed > 0) parts.push(`${formatCount(rows_failed)} failed`);
  if (rows_skipped > 0) parts.push(`${formatCount(rows_skipped)} skipped by condition`);
  if (rows_filtered > 0) parts.push(`${formatCount(rows_filtered)} filtered out`);
  if (rows_deleted > 0) parts.push(`${formatCount(rows_deleted)} deleted as missing`);
  parts.push(`${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 0)} s`);
  const rate = rateOf(rows, durationMs);
  if (rows > 0) parts.push(`${formatCount(rate)} rows/s`);
  const level = state.status === 'error' ? 'error' : state.status === 'warning' ? 'warn' : 'info';
  run.ports.log(level, state.step.id, parts.join(', '), {
    rows_in,
    rows_out,
    rows_failed,
    rows_skipped,
    rows_filtered,
    rows_deleted,
    duration_ms: durationMs,
    rows_per_second: Math.round(rate),
    attempts,
    ...(state.error === '' ? {} : { error: state.error }),
    ...(state.cursor === null ? {} : { cursor: state.cursor }),
  });
}

/** Why a step did not run. */
export function logSkipped(run: RunState, { id, kind }: StepState['step'], why: string): void {
  if (!run.isQuiet) run.ports.log('info', id, `${kind} skipped: ${why}`);
}

/** Called for every batch; tells the ports at most every `PROGRESS_INTERVAL_MS`, and whenever `force` is set. */
export function tellProgress(run: RunState, state: StepState, force = false, id = state.step.id): void {
  const at = performance.now();
  if (!force && at - state.reportedAt < PROGRESS_INTERVAL_MS) return;
  state.reportedAt = at;
  const { rows_in, rows_out, rows_failed, started_at } = state.figures;
  run.ports.progress({
    step_id: id,
    rows_in,
    rows_out,
    rows_failed,
    rows_per_second: Math.round(rateOf(Math.max(rows_in, rows_out), run.context.clock.now() - started_at)),
    ratio: -1,
  });
}

function rateOf(rows: number, durationMs: number): number {
  return (rows * 1000) / Math.max(1, durationMs);
}
