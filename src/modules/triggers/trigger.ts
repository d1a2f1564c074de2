import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../base/clock.ts';
import type { Schema } from '../../store/schema.ts';
import type { JobRunStatus } from '../job-runs/job-run.ts';
import type { Bounds } from './trigger-schedule.ts';

export type TriggerRow = Selectable<Schema['triggers']>;

/** With the status of its last started job run; null if there is none or it was deleted. */
export interface TriggerView extends TriggerRow {
  readonly last_status: string | null;
}

/** The policy for a time that is due while a run of the job, whoever started it, is running. */
export const OVERLAPS = ['skip', 'queue_one', 'queue_all', 'cancel_running', 'allow'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** The policy for times that passed while no control plane was running. */
export const CATCHUPS = ['none', 'latest', 'all'] as const;
export type Catchup = (typeof CATCHUPS)[number];

/** `paused`: disabled automatically. `ended`: enabled, but without further times. */
export const TRIGGER_STATES = ['active', 'paused', 'disabled', 'ended'] as const;
export type TriggerState = (typeof TRIGGER_STATES)[number];

/** Why a trigger was disabled automatically: `failures`, `pause_after_failures` of them; `schema_change`, as a load asked for. */
export const PAUSED_REASONS = ['failures', 'schema_change'] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

/**
 * The outcome of a scheduled time: `waiting` for the job to be idle, and then `started` or `skipped`; `failed` if the job could
 * not be started.
 */
export type TickOutcome = 'started' | 'waiting' | 'skipped' | 'failed';

export interface TriggerSettings extends Bounds {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly enabled: boolean;
  readonly overlap: Overlap;
  readonly catchup: Catchup;
  /** A duration such as `6h`: older times are never caught up on. */
  readonly catchup_window: string | null;
  /** The longest delay of runs after their scheduled times, in seconds. */
  readonly jitter_seconds: number;
  /** The number of failures in a row that disable it. */
  readonly pause_after_failures: number | null;
}

/** A trigger's name defaults to its cron expression. */
export function defaultSettings(cron: string): TriggerSettings {
  return {
    name: cron,
    cron,
    timezone: 'UTC',
    enabled: true,
    overlap: 'skip',
    catchup: 'none',
    catchup_window: null,
    jitter_seconds: 0,
    start_at: null,
    end_at: null,
    pause_after_failures: null,
  };
}

export function settingsOfRow(row: TriggerRow): TriggerSettings {
  return {
    name: row.name,
    cron: row.cron,
    timezone: row.timezone,
    enabled: row.enabled === 1,
    overlap: row.overlap as Overlap,
    catchup: row.catchup as Catchup,
    catchup_window: row.catchup_window,
    jitter_seconds: row.jitter_seconds,
    start_at: row.start_at,
    end_at: row.end_at,
    pause_after_failures: row.pause_after_failures,
  };
}

/** Settings with times as in the API and the audit log. */
export function shownSettings(settings: TriggerSettings) {
  return {
    ...settings,
    start_at: timestampOrNull(settings.start_at),
    end_at: timestampOrNull(settings.end_at),
  };
}

function stateOf(row: TriggerRow): TriggerState {
  if (row.enabled === 0) return row.paused_reason === null ? 'disabled' : 'paused';
  return row.next_run_at === null ? 'ended' : 'active';
}

/** The trigger as the API returns it. */
export function toTrigger(row: TriggerView) {
  return {
    id: row.id,
    job_id: row.job_id,
    ...shownSettings(settingsOfRow(row)),
    state: stateOf(row),
    next_run_at: timestampOrNull(row.next_run_at),
    next_start_at: row.next_run_at === null ? null : timestamp(row.next_run_at + row.delay_ms),
    last_fired_at: timestampOrNull(row.last_fired_at),
    last_run_id: row.last_run_id,
    last_status: row.last_status as JobRunStatus | null,
    last_success_at: timestampOrNull(row.last_success_at),
    consecutive_failures: row.consecutive_failures,
    paused_at: timestampOrNull(row.paused_at),
    paused_reason: row.paused_reason as PausedReason | null,
    missed_count: row.missed_count,
    skipped_count: row.skipped_count,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}
