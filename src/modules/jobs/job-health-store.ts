import { sql } from 'kysely';
import type { Db } from '../../store/store.ts';

interface RecentRun {
  readonly id: number;
  readonly job_id: number;
  readonly status: string;
  readonly created_at: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

/** The newest `runsMax` job runs of each of these jobs, newest first. */
export async function selectRecentJobRuns(
  db: Db,
  ids: readonly number[],
  runsMax: number,
): Promise<readonly RecentRun[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RecentRun>`
    select recent.id, recent.job_id, recent.status, recent.created_at, recent.started_at, recent.ended_at
    from jobs join job_runs as recent on recent.id in (
      select job_runs.id from job_runs where job_runs.job_id = jobs.id order by job_runs.id desc limit ${runsMax}
    )
    where jobs.id in (${sql.join(ids)})
    order by recent.id desc`.execute(db);
  return rows;
}

/** The next time at which a trigger starts each of these jobs; jobs without one are left out. */
export async function selectNextTimes(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('triggers')
    .select(['job_id', (eb) => eb.fn.min('next_run_at').as('next_run_at')])
    .where('enabled', '=', 1)
    .where('next_run_at', 'is not', null)
    .where('job_id', 'in', [...ids])
    .groupBy('job_id')
    .execute();
  return new Map(rows.map((row) => [row.job_id, Number(row.next_run_at)]));
}
