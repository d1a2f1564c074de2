import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** The log lines. The key is monotonic per run, so inserts append to few pages: a random key is four times slower. */
export const createLogs: Migrate = (db, dialect) => {
  const clustered = dialect.name === 'sqlite' ? ' without rowid' : '';
  return executeAll(db, dialect, [
    `create table run_logs (
      run_id bigint not null, attempt integer not null, seq bigint not null, at bigint not null,
      level smallint not null, step_id text not null, message text not null, fields_json text,
      primary key (run_id, attempt, seq))${clustered}`,
    `create table run_log_cursors (
      run_id bigint not null, attempt integer not null, acked_seq bigint not null, bytes bigint not null,
      primary key (run_id, attempt))${clustered}`,
  ]);
};
