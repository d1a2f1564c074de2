import { formatCount, formatSeconds } from '../../base/text/format-figures.ts';
import type { Client } from '../../client/create-client.ts';
import { layOutTable } from '../kit/text/lay-out-table.ts';
import type { DemoConsole } from './demo-console.ts';
import type { JobRunRecord, TaskRunRecord } from './follow-job-run.ts';
import type { CountCheck } from './source-files.ts';

interface StepRecord {
  readonly step_id: string;
  readonly kind: string;
  readonly rows_in: number;
  readonly rows_out: number;
  readonly rows_failed: number;
  readonly duration_ms: number;
}

const HEAD = ['task', 'step', 'rows in', 'rows out', 'failed', 'time', 'rows/s'] as const;
const TEXT_COLUMNS = 2;
const LOG_LINES_SHOWN = 5;

/** A table of every step of every task, in the order in which they ran, and what they moved in all. */
export async function printSteps(out: DemoConsole, api: Client, jobRun: JobRunRecord): Promise<void> {
  const rows: string[][] = [];
  for (const run of inOrder(jobRun.runs)) {
    const { result } = await api.GET('/api/runs/{id}/steps', { params: { path: { id: run.id } } });
    for (const step of result) rows.push([run.task_key, ...cellsOf(step)]);
  }
  out.line();
  for (const line of layOutTable([[...HEAD], ...rows], TEXT_COLUMNS)) out.line(`  ${line}`);
  const moved = jobRun.runs.reduce((sum, run) => sum + run.items.out, 0);
  const ms = jobRun.duration_ms ?? 0;
  const rate = ms > 0 ? ` (${formatCount((moved * 1_000) / ms)} rows/s over all)` : '';
  out.line();
  out.line(`  ${formatCount(moved)} rows loaded in ${formatSeconds(ms)}${rate}`);
}

function inOrder(runs: readonly TaskRunRecord[]): readonly TaskRunRecord[] {
  return [...runs].sort((a, b) => (a.started_at ?? '').localeCompare(b.started_at ?? '') || a.id - b.id);
}

function cellsOf(step: StepRecord): string[] {
  const rows = Math.max(step.rows_in, step.rows_out);
  const hasRows = rows > 0;
  const rate = step.duration_ms > 0 ? formatCount((rows * 1_000) / step.duration_ms) : '';
  return [
    step.step_id,
    hasRows ? formatCount(step.rows_in) : '',
    hasRows ? formatCount(step.rows_out) : '',
    hasRows ? formatCount(step.rows_failed) : '',
    formatSeconds(step.duration_ms),
    hasRows ? rate : '',
  ];
}

/** What arrived beside what should have; true where it is the same everywhere. */
export function printCounts(out: DemoConsole, checks: readonly CountCheck[]): boolean {
  out.line();
  for (const { what, found, expected } of checks) {
    const verdict = found === expected ? 'complete' : `WRONG: ${formatCount(expected)} expected`;
    out.line(`  ${formatCount(found)} ${what}: ${verdict}`);
  }
  return checks.every(({ found, expected }) => found === expected);
}

/** Why a job run has not ended well, and where more is told. */
export async function printFailure(
  out: DemoConsole,
  api: Client,
  jobRun: JobRunRecord,
  place: { readonly url: string; readonly serverLogPath: string },
): Promise<void> {
  out.line();
  out.line(`  The run ended with "${jobRun.status}".`);
  for (const run of jobRun.runs) {
    if (run.error === null) continue;
    const step = run.error.step === null ? '' : ` in the step "${run.error.step}"`;
    out.line(`  The task "${run.task_key}" failed${step}: ${run.error.message} (${run.error.code})`);
    const params = { path: { id: run.id }, query: { level: 'warn', limit: LOG_LINES_SHOWN } as const };
    const { result } = await api.GET('/api/runs/{id}/logs', { params });
    for (const { level, message } of result) out.line(`    ${level}: ${message}`);
    out.line(`  Full log: ${place.url}/api/runs/${run.id}/logs`);
  }
  out.line(`  Server log: ${place.serverLogPath}`);
}
