import { formatCount, formatSeconds } from '../../base/text/format-figures.ts';
import type { DemoConsole } from './demo-console.ts';
import { isActive, type JobRunRecord, type TaskRunRecord } from './follow-job-run.ts';

const BAR_CHARS = 20;

/** Shows a job run as it goes: a live line for the tasks at work, and one that stays for each that has ended. */
export function createRunProgress(
  out: DemoConsole,
  /** Rows that a task will have read at its end, by its key, where that is known. */
  totals: Readonly<Record<string, number>>,
): (jobRun: JobRunRecord) => void {
  const ended = new Set<number>();
  const begun = new Set<number>();
  const rowsRead = new Map<number, number>();
  return ({ runs }) => {
    for (const run of runs) {
      const seen = Math.max(rowsRead.get(run.id) ?? 0, run.progress?.rows_in ?? 0);
      rowsRead.set(run.id, seen);
      if (isActive(run.status)) {
        if (!out.isTerminal && run.started_at !== null && !begun.has(run.id)) {
          begun.add(run.id);
          out.item(run.task_key, 'started');
        }
      } else if (!ended.has(run.id)) {
        ended.add(run.id);
        out.item(run.task_key, endedText(run));
      }
    }
    const working = runs.filter((run) => isActive(run.status) && run.started_at !== null);
    if (working.length > 0) {
      const parts = working.map((run) => workingText(run, rowsRead.get(run.id) ?? 0, totals[run.task_key]));
      out.live(`  ${parts.join('   ')}`);
    }
  };
}

function workingText(run: TaskRunRecord, rows: number, total: number | undefined): string {
  if (rows === 0 || run.progress === null) return `${run.task_key.padEnd(12)}working`;
  const ratio = total === undefined ? null : Math.min(1, rows / total);
  const bar = ratio === null ? '' : `${barOf(ratio)} ${Math.floor(ratio * 100)} %  `;
  const rate = `${formatCount(run.progress.rows_per_second)} rows/s`;
  return `${run.task_key.padEnd(12)}${bar}${formatCount(rows)} rows  ${rate}`;
}

function barOf(ratio: number): string {
  const full = Math.round(ratio * BAR_CHARS);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_CHARS - full)}`;
}

function endedText(run: TaskRunRecord): string {
  if (run.status === 'skipped') return 'skipped: an earlier task failed';
  const duration = run.duration_ms ?? 0;
  const rows = run.items.out;
  const rate = duration > 0 ? `, ${formatCount((rows * 1_000) / duration)} rows/s` : '';
  return `${run.status}: ${formatCount(rows)} rows in ${formatSeconds(duration)}${rate}`;
}
