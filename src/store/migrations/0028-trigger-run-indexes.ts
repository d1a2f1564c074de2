import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/** The job runs of a trigger, in both orders of their list. */
export const addTriggerRunIndexes: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create index job_runs_trigger on job_runs (trigger_id, id) where trigger_id is not null`,
    `create index job_runs_trigger_created on job_runs (trigger_id, created_at, id) where trigger_id is not null`,
  ]);
