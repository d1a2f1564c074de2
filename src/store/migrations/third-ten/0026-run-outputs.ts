import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** What the `outputs` of a task gave; nothing is known of earlier runs. */
export const addRunOutputs: Migrate = (db, dialect) =>
  executeAll(db, dialect, [`alter table runs add column outputs_json text`]);
