import { sql } from 'kysely';
import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** The data for quotas and retention of logs. If the engine has partitions, the lines of one day are one of them. */
export const addLogRetention: Migrate = async (db, dialect) => {
  await executeAll(db, dialect, [
    `alter table run_log_cursors add column dropped bigint not null default 0`,
    `alter table run_log_cursors add column pruned_seq bigint not null default 0`,
    `alter table run_log_cursors add column last_at bigint not null default 0`,
    `create index run_log_cursors_age on run_log_cursors (last_at)`,
  ]);
  if (dialect.name === 'sqlite') {
    await executeAll(db, dialect, [
      `alter table run_logs add column day integer not null default 0`,
      `update run_log_cursors set last_at = cast(unixepoch('subsec') * 1000 as integer)`,
    ]);
    return;
  }
  const { rows } = await sql<{ now: number }>`select ${dialect.nowMs} as now`.execute(db);
  const today = Math.floor(Number(rows[0]?.now) / 86_400_000);
  // The commit time of existing lines is unknown: they count as of today.
  await executeAll(db, dialect, [
    `update run_log_cursors set last_at = ${today * 86_400_000}`,
    `alter table run_logs rename to run_logs_before`,
    `alter index run_logs_pkey rename to run_logs_before_pkey`,
    `create table run_logs (
      run_id bigint not null, attempt integer not null, seq bigint not null, at bigint not null,
      level smallint not null, step_id text not null, message text not null, fields_json text,
      day integer not null, primary key (run_id, attempt, seq, day)) partition by list (day)`,
    `create table run_logs_d${today} partition of run_logs for values in (${today})`,
    `insert into run_logs select run_id, attempt, seq, at, level, step_id, message, fields_json, ${today} from run_logs_before`,
    `drop table run_logs_before`,
  ]);
};
