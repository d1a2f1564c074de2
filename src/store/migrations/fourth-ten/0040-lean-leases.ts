import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * Acknowledging a run and renewing its lease write no index: the index of leased runs leaves their expiries out. PostgreSQL keeps room
 * in each page for such versions of its rows.
 */
export const leanLeases: Migrate = async (db, dialect) => {
  await executeAll(db, dialect, [
    'drop index runs_leased',
    `create index runs_leased on runs (executor_id) where status in ('running', 'cancelling')`,
  ]);
  if (dialect.name !== 'postgres') return;
  await executeAll(db, dialect, [
    'alter table runs set (fillfactor = 75)',
    'alter table run_attempts set (fillfactor = 80)',
  ]);
};
