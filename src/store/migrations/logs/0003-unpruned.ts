import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** The attempts that still have lines, oldest first: a sweep passes none whose lines have been deleted. */
export const indexUnpruned: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `drop index run_log_cursors_age`,
    `create index run_log_cursors_unpruned on run_log_cursors (last_at, run_id, attempt) where pruned_seq < acked_seq`,
  ]);
