import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/** When job runs should have succeeded, those of which it is not known yet whether they do, and those that were late. */
export const addJobRunSla: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table job_runs add column sla_at bigint`,
    `alter table job_runs add column sla_open integer not null default 0`,
    `alter table job_runs add column late_at bigint`,
    `create index job_runs_sla on job_runs (sla_at) where sla_open = 1`,
    `create index job_runs_late on job_runs (sla_at)
      where status in ('queued', 'running', 'cancelling') and late_at is not null`,
  ]);
