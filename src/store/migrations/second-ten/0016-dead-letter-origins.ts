import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Where the row of a dead letter came from, and the column and the value that did not fit. */
export const addDeadLetterOrigins: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table dead_letters add column origin_json text`,
    `alter table dead_letters add column column_name text`,
    `alter table dead_letters add column value_json text`,
  ]);
