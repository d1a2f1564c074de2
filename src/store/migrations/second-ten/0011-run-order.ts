import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Runs in the order of their creation: ids only approximate that order. */
export const addRunOrder: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create index runs_created on runs (created_at, id)`,
    `create index job_runs_created on job_runs (created_at, id)`,
  ]);
