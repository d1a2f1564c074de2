import type { Lease, Outcome } from '../../protocol/control-plane.ts';

/** Lines of an attempt are accepted for this long after it has ended. */
export const LATE_LOGS_MS = 5 * 60_000;

/** What decides whether an attempt may still log. */
export interface LogLeaseState {
  readonly status: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly lease_token: string | null;
  readonly acknowledged: number;
  readonly attempt_epoch: number | null;
  readonly attempt_token: string | null;
  readonly attempt_ended_at: number | null;
}

/**
 * `null` state: there is no such run. An ended attempt may still send what its spool held, for `LATE_LOGS_MS` and while nobody
 * else has the run: once a newer attempt has a lease, the older one is refused at once, so that no write with an older lease
 * ever comes after one with a newer. An assignment that was not acknowledged logs nothing: its attempt's number may go to
 * another executor.
 */
export function judgeLogLease(state: LogLeaseState | null, lease: Lease, now: number): Outcome {
  if (state === null) return 'RUN_ABSENT';
  const known = state.attempt_epoch === lease.epoch && state.attempt_token === lease.token;
  if (!known || state.attempt !== lease.attempt || state.epoch !== lease.epoch) return 'STALE_LEASE';
  if (state.acknowledged === 0) return 'STALE_LEASE';
  if (state.attempt_ended_at !== null && now - state.attempt_ended_at > LATE_LOGS_MS) return 'STALE_LEASE';
  return 'ACCEPTED';
}

export interface LogEnd {
  readonly ended_at: number | null;
  readonly attempt: number;
  readonly last_log_seq: number | null;
}

/** What became of an attempt's log, as its readers are told. */
export interface LogCursor {
  /** Durable up to here. */
  readonly acked_seq: number;
  /** Acknowledged and not kept, because the run was over its quota. */
  readonly dropped: number;
  /** Deleted by retention up to here. */
  readonly pruned_seq: number;
}

export const NO_LOG: LogCursor = { acked_seq: 0, dropped: 0, pruned_seq: 0 };

/**
 * Why a reader does not see all of a log. `running`: more will come. `missing`: its executor did not tell how much there was, or
 * has not sent all. `quota`: lines over the run's quota were counted and not kept. `retention`: old lines were deleted.
 */
export const LOG_GAPS = ['running', 'missing', 'quota', 'retention'] as const;
export type LogGap = (typeof LOG_GAPS)[number];

/** Null where the newest attempt's log is all there. A run that never began has none. */
export function logGap(run: LogEnd, cursor: LogCursor): LogGap | null {
  if (run.ended_at === null) return 'running';
  if (cursor.pruned_seq > 0) return 'retention';
  if (cursor.dropped > 0) return 'quota';
  const all = run.last_log_seq === null ? run.attempt === 0 : cursor.acked_seq >= run.last_log_seq;
  return all ? null : 'missing';
}
