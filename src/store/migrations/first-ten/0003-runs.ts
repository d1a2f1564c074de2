import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Executions: job runs, runs with their attempts and steps, dead letters, executors. */
export const createRuns: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table job_runs (
      id $id, job_id bigint not null references jobs(id) on delete cascade, trigger_id bigint,
      scheduled_for bigint, rerun_of bigint, status text not null, reason text not null, args_json text not null,
      config_json text not null, parsed_json text not null, created_at bigint not null, started_at bigint,
      ended_at bigint, created_by text)`,
    `create index job_runs_job on job_runs (job_id, id)`,
    `create index job_runs_active on job_runs (status) where status in ('queued', 'running', 'cancelling')`,
    `create table runs (
      id $id, task_id bigint, task_name text not null, task_version bigint not null, yaml_content text not null,
      job_run_id bigint references job_runs(id) on delete cascade, job_id bigint, task_key text,
      status text not null, reason text not null, priority integer not null default 0,
      attempt integer not null default 0, max_attempts integer not null, retry_json text not null,
      epoch bigint not null default 0, lease_token text, lease_expires_at bigint,
      acknowledged integer not null default 0, executor_id bigint, cancel_requested integer not null default 0,
      cancel_deadline bigint, args_json text not null, config_json text not null, connectors_json text not null,
      connector_types text not null, labels_json text not null, timeout_ms bigint not null default 0,
      progress_json text, rows_in bigint not null default 0, rows_out bigint not null default 0,
      rows_failed bigint not null default 0, rows_skipped bigint not null default 0, error_json text,
      last_log_seq bigint, rerun_of bigint, scheduled_for bigint, created_at bigint not null,
      available_at bigint not null, started_at bigint, ended_at bigint)`,
    `create index runs_queue on runs (priority desc, available_at, id) where status = 'queued'`,
    `create index runs_leased on runs (executor_id, lease_expires_at) where status in ('running', 'cancelling')`,
    `create index runs_job_run on runs (job_run_id)`,
    `create index runs_job on runs (job_id, id)`,
    `create index runs_task on runs (task_id, id)`,
    `create table run_attempts (
      run_id bigint not null references runs(id) on delete cascade, attempt integer not null, epoch bigint not null,
      lease_token text not null, executor_id bigint not null, started_at bigint not null, ended_at bigint,
      outcome text, last_log_seq bigint, primary key (run_id, attempt))`,
    `create table run_steps (
      run_id bigint not null references runs(id) on delete cascade, attempt integer not null,
      position integer not null, step_id text not null, kind text not null, status text not null,
      rows_in bigint not null, rows_out bigint not null, rows_failed bigint not null, rows_skipped bigint not null,
      started_at bigint not null, ended_at bigint not null, attempts integer not null, error text not null,
      primary key (run_id, attempt, position))`,
    `create table run_status_history (
      id $id, run_id bigint not null references runs(id) on delete cascade, at bigint not null, from_status text,
      to_status text not null, reason text not null, attempt integer not null)`,
    `create index run_status_history_run on run_status_history (run_id, id)`,
    `create table dead_letters (
      id $id, run_id bigint not null references runs(id) on delete cascade, job_id bigint, attempt integer not null,
      seq bigint not null, step_id text not null, item_json text not null, code text not null,
      message text not null, status text not null, created_at bigint not null, unique (run_id, attempt, seq))`,
    `create index dead_letters_job on dead_letters (job_id, id)`,
    `create table executors (
      id $id, name text not null, instance_id text not null, session_token_hash text not null,
      version text not null, protocol_version integer not null, labels_json text not null,
      connector_types text not null, slots integer not null, status text not null,
      registered_at bigint not null, last_seen_at bigint not null, unique (name, instance_id))`,
  ]);
