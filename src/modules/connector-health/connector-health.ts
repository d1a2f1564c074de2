import type { ConnectorUse, ConnectorUseSource } from '../../base/connectors/connector-use.ts';

export const BUCKET_MS = 5 * 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
/** Calls are kept for this long. */
export const CALLS_KEPT_MS = 30 * DAY_MS;
/** A connector is degraded while more than one of so many calls of the last hour failed. */
export const DEGRADED_ONE_OF = 20;

export const HEALTH_STATUSES = ['ok', 'degraded', 'failing', 'unknown'] as const;
export type HealthStatus = (typeof HEALTH_STATUSES)[number];

/** What used a connector, and for which run. */
export interface RecordedUse {
  readonly use: ConnectorUse;
  readonly source: ConnectorUseSource;
  readonly run_id: number | null;
  readonly job_id: number | null;
  /** Of the last test, where it was one. */
  readonly test?: { readonly at: number; readonly ok: boolean; readonly message: string };
}

export interface CallBucket {
  readonly bucket_at: number;
  readonly source: string;
  readonly calls: number;
  readonly errors: number;
  readonly ms: number;
}

export interface HealthRow {
  readonly first_used_at: number;
  readonly last_success_at: number;
  readonly unreachable_since: number;
  readonly recovered_at: number;
  readonly last_error_at: number;
}

export interface StatusSince {
  readonly status: HealthStatus;
  /** Milliseconds since 1970; null where it is not known. */
  readonly since: number | null;
}

export function bucketOf(at: number): number {
  return Math.floor(at / BUCKET_MS) * BUCKET_MS;
}

/** The first bucket of the hour that counts at `now`: twelve whole ones and the current one. */
export function hourFrom(now: number): number {
  return bucketOf(now) - HOUR_MS;
}

export function isDegraded({ calls, errors }: Pick<CallBucket, 'calls' | 'errors'>): boolean {
  return errors * DEGRADED_ONE_OF > calls;
}

/**
 * The status at `now`. `buckets` are those of the last day, of all sources: how long a connector has been degraded, or has not been,
 * is known to a bucket, and only for that day.
 */
export function statusOf(row: HealthRow | null, buckets: readonly CallBucket[], now: number): StatusSince {
  if (row === null) return { status: 'unknown', since: null };
  if (row.unreachable_since > 0) return { status: 'failing', since: row.unreachable_since };
  const isDegradedAt = (at: number) => isDegraded(sumOf(buckets, hourFrom(at), bucketOf(at)));
  const status = isDegradedAt(now) ? 'degraded' : 'ok';
  const begun = Math.max(row.first_used_at, row.recovered_at);
  // Backwards, a bucket at a time, to where it was otherwise.
  for (let at = bucketOf(now); at > now - DAY_MS && at > begun; at -= BUCKET_MS) {
    if (isDegradedAt(at - BUCKET_MS) === (status === 'degraded')) continue;
    return { status, since: Math.max(at, begun) };
  }
  return { status, since: status === 'degraded' ? Math.max(begun, bucketOf(now - DAY_MS)) : begun };
}

/** Of the buckets from one to the other, both included. */
export function sumOf(
  buckets: readonly CallBucket[],
  from = 0,
  to = Number.MAX_SAFE_INTEGER,
): { readonly calls: number; readonly errors: number; readonly ms: number } {
  const sum = { calls: 0, errors: 0, ms: 0 };
  for (const { bucket_at, calls, errors, ms } of buckets) {
    if (bucket_at < from || bucket_at > to) continue;
    sum.calls += calls;
    sum.errors += errors;
    sum.ms += ms;
  }
  return sum;
}
