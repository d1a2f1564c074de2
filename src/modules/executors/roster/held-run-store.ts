import type { Db } from '../../../store/store.ts';
import { IS_LEASED } from '../../runs/run.ts';

/** The runs that an executor has, oldest first, with the names of their jobs. */
export async function selectHeldRuns(db: Db, executorId: number, limit: number) {
  return db
    .selectFrom('runs')
    .select(['runs.id', 'task_name', 'job_id', 'job_run_id', 'runs.status', 'attempt', 'started_at'])
    .select((eb) =>
      eb.selectFrom('jobs').select('name').whereRef('jobs.id', '=', 'runs.job_id').as('job_name'),
    )
    .where('executor_id', '=', executorId)
    .where(IS_LEASED)
    .orderBy('runs.id')
    .limit(limit)
    .execute();
}
