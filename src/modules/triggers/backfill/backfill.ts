import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../../base/clock.ts';
import type { Schema } from '../../../store/schema.ts';

export type BackfillRow = Selectable<Schema['backfills']>;

/** Which of the scheduled times are run: those that never ran, those whose newest run failed or was cancelled, or all. */
export const REPROCESS = ['missed', 'failed', 'all'] as const;
export type Reprocess = (typeof REPROCESS)[number];

export const BACKFILL_ORDERS = ['oldest_first', 'newest_first'] as const;
export type BackfillOrder = (typeof BACKFILL_ORDERS)[number];

export const BACKFILL_STATUSES = ['running', 'paused', 'cancelled', 'completed'] as const;
export type BackfillStatus = (typeof BACKFILL_STATUSES)[number];

/** Job runs of one backfill at once. */
export const BACKFILL_ACTIVE_MAX = 50;
/** Scheduled times between the bounds of one backfill. */
export const BACKFILL_TIMES_MAX = 10_000;

/** What there is of a scheduled time: its newest job run, or what the trigger did with it. */
export interface TimeOutcome {
  /** `none`, a job run's status, `waiting`, `skipped` or `failed` of the trigger's tick, or `pending`. */
  readonly outcome: string;
  readonly job_run_id: number | null;
}

export const NO_OUTCOME: TimeOutcome = { outcome: 'none', job_run_id: null };

/** A time that the trigger itself or another backfill is still to handle. */
export const PENDING: TimeOutcome = { outcome: 'pending', job_run_id: null };

const GOING_ON = ['queued', 'running', 'cancelling', 'waiting', PENDING.outcome];
const MISSED = ['none', 'skipped', 'failed'];
const FAILED = ['error', 'cancelled'];

/** Whether a time with this outcome will end by itself: it is left out of every backfill. */
export function isGoingOn({ outcome }: TimeOutcome): boolean {
  return GOING_ON.includes(outcome);
}

export function isWanted(reprocess: Reprocess, time: TimeOutcome): boolean {
  if (reprocess === 'missed') return MISSED.includes(time.outcome);
  if (reprocess === 'failed') return FAILED.includes(time.outcome);
  return !isGoingOn(time);
}

/** How many times of a backfill have come to what. `deleted`: their job runs are not there any more. */
export type BackfillProgress = Record<
  'pending' | 'active' | 'success' | 'warning' | 'error' | 'cancelled' | 'deleted',
  number
>;

export function emptyProgress(): BackfillProgress {
  return { pending: 0, active: 0, success: 0, warning: 0, error: 0, cancelled: 0, deleted: 0 };
}

/** The backfill as the API gives it. */
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
        : (JSON.parse(row.config_override_json) as Record<string, unknown>),
    status: row.status as BackfillStatus,
    problem: row.problem,
    total: row.total,
    progress,
    created_at: timestamp(row.created_at),
    created_by: row.created_by,
    ended_at: timestampOrNull(row.ended_at),
  };
}
