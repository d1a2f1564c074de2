import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Webhooks, their deliveries, and failing jobs. */
export const addWebhooks: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table webhooks (
      id $id, name text not null, description text, url text not null, events_json text not null, job_ids_json text,
      enabled integer not null, secrets_json text not null, previous_secret_until bigint, last_success_at bigint,
      last_failure_at bigint, consecutive_failures integer not null default 0, failing_since bigint,
      disabled_reason text, version bigint not null default 1, created_at bigint not null, updated_at bigint not null,
      updated_by text)`,
    `create table webhook_deliveries (
      id $id, webhook_id bigint not null references webhooks(id) on delete cascade, event_id text not null,
      event text not null, body text not null, status text not null, attempts integer not null default 0,
      tries integer not null default 0, next_attempt_at bigint, lease_token text, last_attempt_at bigint,
      response_status integer, response_body text, error text, duration_ms bigint, created_at bigint not null,
      ended_at bigint)`,
    `create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where status = 'pending'`,
    `create index webhook_deliveries_listed on webhook_deliveries (webhook_id, id)`,
    `create index webhook_deliveries_failed on webhook_deliveries (webhook_id, created_at) where status = 'failed'`,
    `create index webhook_deliveries_ended on webhook_deliveries (status, ended_at) where status <> 'pending'`,
    // Without a reference to jobs: a transaction that ends a job run has locked it, and must not wait for one that has locked
    // the job and wants the run.
    `create table failure_episodes (
      job_id bigint primary key, opened_at bigint not null, job_run_id bigint not null, failures bigint not null)`,
  ]);
