import type { Selectable } from 'kysely';
import { timestampOrNull } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db } from '../../store/store.ts';
import type { TaskRunInfo } from '../../threads/messages/widget-calls.ts';
import type { RunProgress } from '../runs/run.ts';

const RUNS_READ_MIN = 200;
const RUNS_READ_MAX = 2_000;
/** Job runs that overlap, and attempts by hand, stand between a key and its newest run. */
const RUNS_READ_PER_KEY = 4;
/** A task that is started seldom has its newest run behind those of the others: how many are looked through for it. */
const OLDER_RUNS_MAX = 10_000;

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

/** The newest run of each of a job's task keys, newest first. */
export async function selectLatestRuns(
  db: Db,
  jobId: number,
  keys: readonly string[],
): Promise<TaskRunInfo[]> {
  const limit = Math.min(Math.max(keys.length * RUNS_READ_PER_KEY, RUNS_READ_MIN), RUNS_READ_MAX);
  const query = db.selectFrom('runs').select(COLUMNS).where('job_id', '=', jobId);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  const newest = new Map<string, TaskRunInfo>();
  const keep = (row: LatestRunRow) => {
    if (row.task_key !== null && !newest.has(row.task_key))
      newest.set(row.task_key, toTaskRunInfo(row, row.task_key));
  };
  rows.forEach(keep);
  const oldest = rows.at(-1);
  const missing = keys.filter((key) => !newest.has(key));
  if (oldest !== undefined && rows.length === limit && missing.length > 0) {
    const ids = await selectOlderRuns(db, jobId, oldest.id, missing);
    if (ids.length > 0) (await query.where('id', 'in', ids).orderBy('id', 'desc').execute()).forEach(keep);
  }
  return [...newest.values()];
}

/** The newest run of each of `keys` before the run `before`. */
async function selectOlderRuns(
  db: Db,
  jobId: number,
  before: number,
  keys: readonly string[],
): Promise<readonly number[]> {
  const older = db
    .selectFrom('runs')
    .select(['id', 'task_key'])
    .where('job_id', '=', jobId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(OLDER_RUNS_MAX)
    .as('older');
  const found = await db
    .selectFrom(older)
    .select(({ fn }) => fn.max('older.id').as('id'))
    .where('older.task_key', 'in', keys)
    .groupBy('older.task_key')
    .execute();
  return found.map(({ id }) => Number(id));
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
