import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Failed sign-ins name the account that was tried: unlocking it forgets them, those of a network too. */
export const addFailedAccounts: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table auth_failures add column account text`,
    `create index auth_failures_account on auth_failures (account)`,
  ]);
