import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Concurrency and time limits, reruns and backfills, executor keys, secrets of metrics backends. */
export const addScheduling: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table runs add column concurrency_key text`,
    `alter table runs add column concurrency_limit integer`,
    `alter table runs add column queue_expires_at bigint`,
    `alter table runs add column deadline_at bigint`,
    `alter table runs add column losses integer not null default 0`,
    `alter table runs add column kind text not null default ''`,
    `alter table runs add column queue_rank bigint not null default 0`,
    `alter table runs add column waiting text`,
    `drop index runs_queue`,
    `create index runs_queue on runs (kind, priority desc, queue_rank, available_at, id)
      where status = 'queued' and waiting is null`,
    `create index runs_oldest on runs (kind, priority desc, available_at, id)
      where status = 'queued' and waiting is null`,
    `create index runs_marked on runs (waiting, kind, id) where status = 'queued' and waiting is not null`,
    `create index runs_keyed on runs (concurrency_key, waiting, priority desc, available_at, id)
      where status = 'queued' and concurrency_key is not null`,
    `create index runs_expiring on runs (queue_expires_at)
      where status = 'queued' and queue_expires_at is not null`,
    `create index runs_unstamped on runs (id) where status = 'queued' and queue_expires_at is null`,
    `create index runs_task_alone on runs (task_id, id) where job_id is null`,
    `create index runs_held on runs (concurrency_key) where status in ('running', 'cancelling') and concurrency_key is not null`,
    `create index runs_deadline on runs (deadline_at)
      where status in ('queued', 'running', 'cancelling') and deadline_at is not null`,
    `alter table job_runs add column reused_json text not null default '{}'`,
    `alter table job_runs add column priority integer not null default 0`,
    `alter table job_runs add column concurrency_key text`,
    `alter table job_runs add column deadline_at bigint`,
    `alter table job_runs add column backfill_id bigint`,
    `alter table job_runs add column held_reason text`,
    `alter table job_runs add column interval_start bigint`,
    `drop index job_runs_active`,
    `create index job_runs_active on job_runs (job_id, id) where status in ('queued', 'running', 'cancelling')`,
    `create index job_runs_waiting on job_runs (job_id, id) where status = 'queued' and held_reason is not null`,
    `create index job_runs_deadline on job_runs (deadline_at)
      where status in ('queued', 'running', 'cancelling') and deadline_at is not null`,
    `create index job_runs_scheduled on job_runs (trigger_id, scheduled_for) where scheduled_for is not null`,
    `alter table tasks add column limits_json text not null default '{}'`,
    `alter table task_versions add column limits_json text not null default '{}'`,
    `create index job_runs_held on job_runs (concurrency_key, id)
      where status in ('queued', 'running', 'cancelling') and concurrency_key is not null`,
    `create index job_runs_backfill on job_runs (backfill_id) where backfill_id is not null`,
    `alter table metrics_configs add column secrets_json text not null default '{}'`,
    `create table executor_keys (
      fingerprint text primary key, first_seen_at bigint not null, last_seen_at bigint not null,
      revoked_at bigint, revoked_by text)`,
    `create table backfills (
      id $id, job_id bigint not null references jobs(id) on delete cascade,
      trigger_id bigint not null references triggers(id) on delete cascade, from_at bigint not null,
      to_at bigint not null, reprocess text not null, run_order text not null, max_active integer not null,
      config_override_json text, config_json text not null, concurrency_key text, problem text,
      status text not null, total integer not null, created_at bigint not null, created_by text not null,
      ended_at bigint)`,
    `create index backfills_trigger on backfills (trigger_id, id)`,
    `create index backfills_going on backfills (id) where status in ('running', 'paused')`,
    `create table backfill_times (
      backfill_id bigint not null references backfills(id) on delete cascade, scheduled_for bigint not null,
      interval_start bigint, position integer not null, job_run_id bigint,
      primary key (backfill_id, scheduled_for))`,
    `create index backfill_times_pending on backfill_times (backfill_id, position) where job_run_id is null`,
  ]);
