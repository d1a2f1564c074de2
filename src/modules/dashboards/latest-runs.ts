import type { Selectable } from 'kysely';
import { timestampOrNull } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db } from '../../store/store.ts';
import type { TaskRunInfo } from '../../threads/widget-messages.ts';
import type { RunProgress } from '../runs/run.ts';

const RUNS_READ_MIN = 200;
const RUNS_READ_MAX = 2_000;
/** Job runs that overlap, and attempts by hand, stand between a key and its newest run. */
const RUNS_READ_PER_KEY = 4;

const COLUMNS = [
  'id',
  'task_key',
  'status',
  'started_at',
  'ended_at',
  'progress_json',
  'rows_in',
  'rows_out',
  'rows_failed',
] as const;

type LatestRunRow = Pick<Selectable<Schema['runs']>, (typeof COLUMNS)[number]>;

/** The newest run of each task key of a job with `keys` of them, newest first. */
export async function selectLatestRuns(db: Db, jobId: number, keys: number): Promise<TaskRunInfo[]> {
  const limit = Math.min(Math.max(keys * RUNS_READ_PER_KEY, RUNS_READ_MIN), RUNS_READ_MAX);
  const query = db.selectFrom('runs').select(COLUMNS).where('job_id', '=', jobId);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  const newest = new Map<string, TaskRunInfo>();
  for (const row of rows) {
    if (row.task_key !== null && !newest.has(row.task_key))
      newest.set(row.task_key, toTaskRunInfo(row, row.task_key));
  }
  return [...newest.values()];
}

function toTaskRunInfo(row: LatestRunRow, taskKey: string): TaskRunInfo {
  const progress = row.progress_json === null ? null : (JSON.parse(row.progress_json) as RunProgress);
  return {
    id: row.id,
    task_key: taskKey,
    status: row.status,
    started_at: timestampOrNull(row.started_at),
    ended_at: timestampOrNull(row.ended_at),
    items: { in: row.rows_in, out: row.rows_out, failed: row.rows_failed },
    progress: progress && {
      rows: progress.rows_out,
      rows_per_second: progress.rows_per_second,
      step: progress.step_id,
      ratio: progress.ratio,
    },
  };
}
