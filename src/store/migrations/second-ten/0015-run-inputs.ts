import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** What a task received, and what its extracts with a cursor have read; nothing is known of earlier runs. */
export const addRunInputs: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table runs add column received_args_json text`,
    `alter table run_steps add column cursor_json text`,
  ]);
