import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../../base/clock.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Schema } from '../../../store/schema.ts';

export type BackfillRow = Selectable<Schema['backfills']>;

/** Which scheduled times to run: those that never ran, those with a failed or cancelled newest run, or all. */
export const REPROCESS = ['missed', 'failed', 'all'] as const;
export type Reprocess = (typeof REPROCESS)[number];

export const BACKFILL_ORDERS = ['oldest_first', 'newest_first'] as const;
export type BackfillOrder = (typeof BACKFILL_ORDERS)[number];

export const BACKFILL_STATUSES = ['running', 'paused', 'cancelled', 'completed'] as const;
export type BackfillStatus = (typeof BACKFILL_STATUSES)[number];

/** Concurrent job runs of one backfill. */
export const BACKFILL_ACTIVE_MAX = 50;
/** Scheduled times between the bounds of one backfill. */
export const BACKFILL_TIMES_MAX = 10_000;

/** The outcome of a scheduled time: its newest job run, or how the trigger handled it. */
export interface TimeOutcome {
  /** `none`, a job run's status, `waiting`, `skipped` or `failed` of the trigger's tick, or `pending`. */
  readonly outcome: string;
  readonly job_run_id: number | null;
}

export const NO_OUTCOME: TimeOutcome = { outcome: 'none', job_run_id: null };

/** A time that the trigger itself or another backfill will handle. */
export const PENDING: TimeOutcome = { outcome: 'pending', job_run_id: null };

const GOING_ON = ['queued', 'running', 'cancelling', 'waiting', PENDING.outcome];
const MISSED = ['none', 'skipped', 'failed'];
const FAILED = ['error', 'cancelled'];

/** Whether a time with this outcome will finish without a backfill: it is left out of every one. */
export function isGoingOn({ outcome }: TimeOutcome): boolean {
  return GOING_ON.includes(outcome);
}

export function isWanted(reprocess: Reprocess, time: TimeOutcome): boolean {
  if (reprocess === 'missed') return MISSED.includes(time.outcome);
  if (reprocess === 'failed') return FAILED.includes(time.outcome);
  return !isGoingOn(time);
}

/** The number of a backfill's times by outcome. `deleted`: their job runs no longer exist. */
export type BackfillProgress = Record<
  'pending' | 'active' | 'success' | 'warning' | 'error' | 'cancelled' | 'deleted',
  number
>;

export function emptyProgress(): BackfillProgress {
  return { pending: 0, active: 0, success: 0, warning: 0, error: 0, cancelled: 0, deleted: 0 };
}

/** The backfill as the API returns it. */
export function toBackfill(row: BackfillRow, progress: BackfillProgress) {
  return {
    id: row.id,
    job_id: row.job_id,
    trigger_id: row.trigger_id,
    from: timestamp(row.from_at),
    to: timestamp(row.to_at),
    reprocess: row.reprocess as Reprocess,
    order: row.run_order as BackfillOrder,
    max_active: row.max_active,
    config_override:
      row.config_override_json === null
        ? null
        : (parseJsonText(row.config_override_json) as Record<string, unknown>),
    status: row.status as BackfillStatus,
    problem: row.problem,
    total: row.total,
    progress,
    created_at: timestamp(row.created_at),
    created_by: row.created_by,
    ended_at: timestampOrNull(row.ended_at),
  };
}
