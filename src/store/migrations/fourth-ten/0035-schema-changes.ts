import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Columns of targets that loads have changed, of each step; nothing is known of earlier runs. */
export const addSchemaChanges: Migrate = (db, dialect) =>
  executeAll(db, dialect, ['alter table run_steps add column schema_changes_json text']);
