import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

const ENDED = `status in ('success', 'warning', 'error', 'cancelled', 'skipped')`;
const ACTIVE = `status in ('queued', 'running', 'cancelling')`;

/**
 * What lists filter and sort by, so that a page costs the same however many rows there are. A run changes its status a few times:
 * the large indexes over it hold those that have ended, and are written once.
 */
export const addListIndexes: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create index runs_ended_status on runs (status, id) where ${ENDED}`,
    `create index runs_ended_status_created on runs (status, created_at, id) where ${ENDED}`,
    `create index runs_ended_job on runs (job_id, status, id) where ${ENDED}`,
    `create index runs_ended_task on runs (task_id, status, id) where ${ENDED}`,
    `create index runs_active_status on runs (status, id) where ${ACTIVE}`,
    `create index runs_active_created on runs (status, created_at, id) where ${ACTIVE}`,
    `create index runs_job_created on runs (job_id, created_at, id)`,
    `create index runs_task_created on runs (task_id, created_at, id)`,
    `create index job_runs_ended_status on job_runs (status, id) where ${ENDED}`,
    `create index job_runs_ended_status_created on job_runs (status, created_at, id) where ${ENDED}`,
    `create index job_runs_ended_job on job_runs (job_id, status, id) where ${ENDED}`,
    `create index job_runs_active_status on job_runs (status, id) where ${ACTIVE}`,
    `create index job_runs_active_created on job_runs (status, created_at, id) where ${ACTIVE}`,
    `create index job_runs_job_created on job_runs (job_id, created_at, id)`,
    `create index dead_letters_run on dead_letters (run_id, id)`,
    `create index dead_letters_run_status on dead_letters (run_id, status, id)`,
    `create index dead_letters_job_status on dead_letters (job_id, status, id)`,
    `drop index audit_logs_resource`,
    `create index audit_logs_resource on audit_logs (resource_id, id)`,
    `create index audit_logs_type on audit_logs (resource_type, id)`,
    `create index audit_logs_action on audit_logs (action, id)`,
    `create index audit_logs_actor on audit_logs (actor_id, id) where actor_id is not null`,
    `create index webhook_deliveries_status on webhook_deliveries (webhook_id, status, id)`,
    `create index webhook_deliveries_event on webhook_deliveries (webhook_id, event, id)`,
    `create index backfills_created on backfills (trigger_id, created_at, id)`,
    `create index backfill_times_position on backfill_times (backfill_id, position)`,
    `create index idempotency_keys_created on idempotency_keys (created_at)`,
    `create index auth_failures_at on auth_failures (at)`,
  ]);
