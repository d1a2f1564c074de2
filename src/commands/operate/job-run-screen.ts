import { setTimeout as sleep } from 'node:timers/promises';
import { formatCount } from '../../base/text/format-figures.ts';
import type { Client } from '../../client/create-client.ts';
import { type CommandOutput, printable, type Style } from '../kit/command-output.ts';
import { EXIT } from '../kit/exit-code.ts';
import { createProgressBar } from '../kit/progress-bar.ts';
import { mayPass } from '../server/may-pass.ts';
import { cell, durationCell, printTable, timeCell } from './cells.ts';

const POLL_MS = 1_000;
/** Gives up on a server that does not answer for about a minute. */
const FAILURES_IN_A_ROW_MAX = 60;
const ACTIVE: readonly string[] = ['queued', 'running', 'cancelling'];
/** Those whose reason says more than the error or the trigger does. */
const WITH_REASON: readonly string[] = ['queued', 'cancelled'];
const STYLES: Readonly<Record<string, Style>> = {
  success: 'green',
  warning: 'yellow',
  error: 'red',
  cancelled: 'yellow',
};

export type JobRun = Awaited<ReturnType<typeof readJobRun>>;
type TaskRun = JobRun['runs'][number];

export function readJobRun(api: Client, id: number) {
  return api.GET('/api/job-runs/{id}', { params: { path: { id } } });
}

/** Shows how a job run goes until it has ended; the command may be interrupted, the run goes on. */
export async function watchJobRun(api: Client, id: number, out: CommandOutput): Promise<JobRun> {
  const bar = await createProgressBar(!out.isJson);
  const told = new Set<number>();
  try {
    for (let failures = 0; ; await sleep(POLL_MS)) {
      const jobRun = await readJobRun(api, id).catch((error: unknown) => {
        failures += 1;
        if (!mayPass(error) || failures > FAILURES_IN_A_ROW_MAX) throw error;
        return null;
      });
      if (jobRun === null) continue;
      failures = 0;
      for (const run of jobRun.runs.filter((run) => run.ended_at !== null && !told.has(run.id))) {
        told.add(run.id);
        if (!out.isJson) bar.line(`${nameOf(run)}: ${run.status} after ${durationCell(run.duration_ms)}`);
      }
      if (!ACTIVE.includes(jobRun.status)) return jobRun;
      bar.update(0, null, liveText(jobRun));
    }
  } finally {
    bar.stop();
  }
}

function nameOf({ task_key, task_name }: TaskRun): string {
  return printable(task_key ?? task_name);
}

function liveText({ id, status, runs }: JobRun): string {
  const working = runs.filter((run) => run.ended_at === null && run.started_at !== null);
  const parts = working.map((run) => {
    const { rows_in: rows, rows_per_second: rate } = run.progress ?? { rows_in: 0, rows_per_second: 0 };
    return rows === 0 ? nameOf(run) : `${nameOf(run)} ${formatCount(rows)} rows, ${formatCount(rate)} rows/s`;
  });
  return `Job run ${id} ${status}${parts.length === 0 ? '' : `: ${parts.join('   ')}`}`;
}

/** A job run as people read it: how it ended, its tasks, and where to look on. */
export function showJobRun(jobRun: JobRun, out: CommandOutput): void {
  if (out.isJson) out.json(jobRun);
  const { id, job_id, job_name, status, reason, runs, error } = jobRun;
  const took = jobRun.ended_at === null ? '' : ` after ${durationCell(jobRun.duration_ms)}`;
  const why = WITH_REASON.includes(status) && reason !== status ? ` (${reason})` : '';
  const state = out.paint(STYLES[status] ?? 'cyan', status);
  out.line(`Job run ${id} of "${printable(job_name)}" (job ${job_id}): ${state}${took}${why}`);
  out.line(`Created ${timeCell(jobRun.created_at)}${originOf(jobRun)}`);
  if (jobRun.late_at !== null)
    out.line(out.paint('yellow', `Late: it was due by ${timeCell(jobRun.sla_at)}`));
  out.line();
  const rows = runs.map((run) => [
    cell(run.task_key ?? run.task_name),
    String(run.id),
    run.status,
    formatCount(run.items.in),
    formatCount(run.items.out),
    formatCount(run.items.failed),
    durationCell(run.duration_ms),
  ]);
  printTable(out, ['task', 'run', 'status', 'rows in', 'rows out', 'failed', 'time'], rows, {
    textColumns: 3,
    none: 'None of its tasks has started.',
  });
  if (error !== null) {
    const at = error.task === null ? '' : ` in ${printable(error.task)}`;
    const step = error.step === null ? '' : `, step ${printable(error.step)}`;
    out.line(
      `\n${out.paint('red', 'Error')}${at}${step}: ${printable(error.message)} (${printable(error.code)})`,
    );
    if (error.run_id !== null) out.line(`Its log: headgate logs ${error.run_id}`);
  }
  const failed = runs.find((run) => run.items.failed > 0);
  if (failed !== undefined) out.line(`Failed rows: headgate dead-letters --run ${failed.id}`);
}

function originOf({ created_by, trigger_name, scheduled_for, rerun_of }: JobRun): string {
  const trigger = trigger_name === null ? '' : ` by the trigger "${printable(trigger_name)}"`;
  const time = scheduled_for === null ? '' : ` for ${timeCell(scheduled_for)}`;
  const person = trigger_name === null && created_by !== null ? ` by ${printable(created_by)}` : '';
  return `${person}${trigger}${time}${rerun_of === null ? '' : `, reruns job run ${rerun_of}`}`;
}

/** As the run ended; 0 where it is still at work. */
export function exitCodeOf({ status }: { readonly status: string }): number {
  return status === 'error' || status === 'cancelled' ? EXIT.failed : EXIT.ok;
}
