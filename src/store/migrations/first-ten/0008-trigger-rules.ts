import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Bounds, jitter and catch-up window of triggers, their health, and the results of their runs until they are counted. */
export const addTriggerRules: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table triggers add column catchup_window text`,
    `alter table triggers add column jitter_seconds integer not null default 0`,
    `alter table triggers add column start_at bigint`,
    `alter table triggers add column end_at bigint`,
    `alter table triggers add column pause_after_failures integer`,
    `alter table triggers add column delay_ms bigint not null default 0`,
    `alter table triggers add column consecutive_failures bigint not null default 0`,
    `alter table triggers add column streak_since bigint not null default 0`,
    `alter table triggers add column paused_at bigint`,
    `alter table triggers add column paused_reason text`,
    `alter table triggers add column last_success_at bigint`,
    `drop index triggers_due`,
    `create index triggers_due on triggers (enabled, (next_run_at + delay_ms))`,
    `create table trigger_results (
      id $id, trigger_id bigint not null, job_run_id bigint not null, status text not null,
      ended_at bigint not null)`,
  ]);
