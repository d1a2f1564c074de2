import type { Selectable } from 'kysely';
import { timestamp } from '../../base/clock.ts';
import type { ExecutorLimits } from '../../protocol/control-plane.ts';
import type { Schema } from '../../store/schema.ts';
import { typesOf } from '../runs/queue/run-kind.ts';
import { splitTypes } from '../runs/run.ts';

export type ExecutorRow = Selectable<Schema['executors']>;

/** The limits that every executor gets when it registers. */
export const EXECUTOR_LIMITS: ExecutorLimits = {
  lease_ttl_ms: 30_000,
  heartbeat_ms: 10_000,
  reconnect_grace_ms: 60_000,
  log_batch_lines_max: 1_000,
  log_batch_bytes_max: 1_048_576,
  log_line_bytes_max: 16_384,
  assignment_ack_ms: 5_000,
};

/** An executor that was silent for longer is lost. */
export const EXECUTOR_AWAY_MS = EXECUTOR_LIMITS.lease_ttl_ms + EXECUTOR_LIMITS.reconnect_grace_ms;

/** The limits with a different lease duration, everything else in proportion; null keeps them. */
export function executorLimitsOf(leaseTtlMs: number | null): ExecutorLimits {
  if (leaseTtlMs === null) return EXECUTOR_LIMITS;
  const part = (ms: number) => Math.max(1, Math.round((ms * leaseTtlMs) / EXECUTOR_LIMITS.lease_ttl_ms));
  return {
    ...EXECUTOR_LIMITS,
    lease_ttl_ms: leaseTtlMs,
    heartbeat_ms: part(EXECUTOR_LIMITS.heartbeat_ms),
    reconnect_grace_ms: part(EXECUTOR_LIMITS.reconnect_grace_ms),
  };
}

/** A lost executor counts as such for this long, or until another of its name comes; then it is gone. */
export const LOST_SHOWN_MS = 3_600_000;

export const EXECUTOR_SLOTS_MAX = 1_024;
export const EXECUTOR_NAME_LENGTH_MAX = 200;
/** Leases in one heartbeat: all slots, and as many unanswered completions. */
export const HELD_LEASES_MAX = 2 * EXECUTOR_SLOTS_MAX;

/** Whether it gets no more runs, because it leaves or because an operator wants it so. */
export function isDraining({ status, drain_requested_at }: ExecutorRow): boolean {
  return status === 'draining' || (status === 'online' && drain_requested_at !== null);
}

/**
 * `lost` if it did not leave, and was not seen within the time in which a lease lapses; `drained` if an operator has asked for it
 * and nothing is left of `running`, the number of runs that it has.
 */
export function toExecutor(row: ExecutorRow, running: number, now: number) {
  const { drain_requested_at } = row;
  return {
    id: row.id,
    name: row.name,
    instance_id: row.instance_id,
    version: row.version,
    protocol_version: row.protocol_version,
    labels: JSON.parse(row.labels_json) as Record<string, string>,
    connector_types: typesOf(splitTypes(row.connector_types)),
    slots: row.slots,
    running,
    status: statusOf(row, running, now),
    drain:
      drain_requested_at === null
        ? null
        : { requested_at: timestamp(drain_requested_at), requested_by: row.drain_requested_by },
    registered_at: timestamp(row.registered_at),
    last_seen_at: timestamp(row.last_seen_at),
  };
}

export const EXECUTOR_STATUSES = ['online', 'draining', 'drained', 'lost', 'gone'] as const;

function statusOf(row: ExecutorRow, running: number, now: number): (typeof EXECUTOR_STATUSES)[number] {
  if (row.status === 'gone') return 'gone';
  if (now - row.last_seen_at > EXECUTOR_AWAY_MS) return 'lost';
  if (!isDraining(row)) return 'online';
  return running === 0 && row.drain_requested_at !== null ? 'drained' : 'draining';
}
