import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** The job runs of a trigger, in both orders of their list. */
export const addTriggerRunIndexes: Migrate = (db, dialect) => {
  // SQLite's indexes end with the row's id: one that names it has it twice.
  const id = dialect.name === 'sqlite' ? '' : ', id';
  return executeAll(db, dialect, [
    `create index job_runs_trigger on job_runs (trigger_id${id}) where trigger_id is not null`,
    `create index job_runs_trigger_created on job_runs (trigger_id, created_at${id}) where trigger_id is not null`,
  ]);
};
