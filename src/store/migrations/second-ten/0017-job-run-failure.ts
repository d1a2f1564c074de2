import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** The task run that made a job run fail; of earlier job runs, the first of their failed ones. */
export const addJobRunFailure: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table job_runs add column failed_run_id bigint`,
    `update job_runs set failed_run_id =
       (select min(runs.id) from runs where runs.job_run_id = job_runs.id and runs.status = 'error')
     where status = 'error'`,
  ]);
