import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Rows of a target that no longer came and went, of each step and summed up; nothing is known of earlier runs. */
export const addRowsDeleted: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table runs add column rows_deleted bigint not null default 0`,
    `alter table run_steps add column rows_deleted bigint not null default 0`,
  ]);
