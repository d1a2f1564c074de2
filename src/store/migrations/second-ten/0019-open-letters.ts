import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Open dead letters are counted at each look of a monitoring system, however many are settled. */
export const addOpenLetters: Migrate = (db, dialect) =>
  executeAll(db, dialect, [`create index dead_letters_open on dead_letters (id) where status = 'open'`]);
