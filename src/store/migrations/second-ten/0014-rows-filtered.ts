import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Rows that filters left out, of each step and summed up; nothing is known of earlier runs. */
export const addRowsFiltered: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table runs add column rows_filtered bigint not null default 0`,
    `alter table run_steps add column rows_filtered bigint not null default 0`,
  ]);
