import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/** What comparisons of sources and targets have found, of each step; nothing is known of earlier runs. */
export const addVerifications: Migrate = (db, dialect) =>
  executeAll(db, dialect, ['alter table run_steps add column verification_json text']);
