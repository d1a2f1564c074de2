import type { Migrate } from '../migrate.ts';
import { executeAll } from './execute.ts';

/** The list of all dead letters, by status and by code. */
export const addAllDeadLettersIndexes: Migrate = (db, dialect) => {
  // SQLite's indexes end with the row's id: one that names it has it twice.
  const id = dialect.name === 'sqlite' ? '' : ', id';
  return executeAll(db, dialect, [
    `create index dead_letters_status on dead_letters (status${id})`,
    `create index dead_letters_code on dead_letters (code${id})`,
  ]);
};
