import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Whoever operates the server may ask an executor for no more work; what it asks for itself is its status. */
export const addExecutorDrains: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table executors add column drain_requested_at bigint`,
    `alter table executors add column drain_requested_by text`,
  ]);
