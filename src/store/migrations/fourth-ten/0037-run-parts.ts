import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * Parts of divided extracts, and the runs that help another with them: `helps_run_id` and `helps_step` name it, `helpers` counts those
 * that a run was given.
 */
export const addRunParts: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table run_part_plans (
      run_id bigint not null, step_id text not null, epoch bigint not null, digest text not null,
      order_json text, is_open bigint not null, primary key (run_id, step_id))`,
    `create table run_parts (
      run_id bigint not null, step_id text not null, number bigint not null, label text not null,
      state text not null, take bigint not null, holder_run_id bigint, holder_epoch bigint, executor_id bigint,
      own_only bigint not null, rows bigint not null, error text not null, steps_json text,
      started_at bigint, ended_at bigint, primary key (run_id, step_id, number))`,
    `alter table runs add column helpers bigint not null default 0`,
    `alter table runs add column helps_run_id bigint`,
    `alter table runs add column helps_step text`,
    `create index runs_helping on runs (helps_run_id) where helps_run_id is not null`,
  ]);
