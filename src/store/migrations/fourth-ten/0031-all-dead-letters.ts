import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * The list of all dead letters, by status and by code. Of expressions, so that only that list takes them: SQLite would use an index of
 * the column where that of the id, the run or the job finds far fewer rows.
 */
export const addAllDeadLettersIndexes: Migrate = (db, dialect) => {
  // SQLite's indexes end with the row's id: one that names it has it twice.
  const id = dialect.name === 'sqlite' ? '' : ', id';
  return executeAll(db, dialect, [
    `create index dead_letters_status on dead_letters ((coalesce(status, ''))${id})`,
    `create index dead_letters_code on dead_letters ((coalesce(code, ''))${id})`,
  ]);
};
