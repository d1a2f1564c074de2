import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** What retention looks up: reruns of a run, replays of a job. */
export const addRetention: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create index runs_rerun on runs (rerun_of) where rerun_of is not null`,
    `create index job_runs_rerun on job_runs (rerun_of) where rerun_of is not null`,
    `create index runs_replays on runs (job_id, id) where job_run_id is null and job_id is not null`,
  ]);
