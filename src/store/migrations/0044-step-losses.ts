import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/** What targets of loads do not have of their rows, of each step; nothing is known of earlier runs. */
export const addStepLosses: Migrate = (db, dialect) =>
  executeAll(db, dialect, ['alter table run_steps add column losses_json text']);
