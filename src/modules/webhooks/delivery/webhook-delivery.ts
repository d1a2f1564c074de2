import type { Selectable } from 'kysely';
import { timestamp, timestampOrNull } from '../../../base/clock.ts';
import type { Schema } from '../../../store/schema.ts';
import type { WebhookEventKind } from '../webhook-event.ts';

export type DeliveryRow = Selectable<Schema['webhook_deliveries']>;

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays between a failed attempt and the next; after the last one, the delivery has failed. Source: Standard Webhooks. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;

/** The random share added to a delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** The result of one attempt. */
export interface Attempt {
  readonly ok: boolean;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** The beginning of the answer's body. */
  readonly body: string | null;
  /** Null if it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
  /** The delay that the receiver asked for; null if none. */
  readonly retryAfterMs: number | null;
}

/** The delay after the `tries`th failed attempt; null if that was the last. `random` in [0, 1). */
export function retryDelayMs(
  tries: number,
  { retryAfterMs }: Pick<Attempt, 'retryAfterMs'>,
  random: () => number,
): number | null {
  const delayMs = RETRY_DELAYS_MS[tries - 1];
  if (delayMs === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return Math.round(Math.max(delayMs, asked) * (1 + JITTER * random()));
}

/** `Retry-After` in milliseconds: seconds or a date; null if it is neither. Source: RFC 9110, 10.2.3. */
export function readRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The delivery as lists return it, but for its receiver. */
export function toDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    event_id: row.event_id,
    event: row.event as WebhookEventKind,
    status: row.status as DeliveryStatus,
    attempts: row.attempts,
    next_attempt_at: timestampOrNull(row.next_attempt_at),
    last_attempt_at: timestampOrNull(row.last_attempt_at),
    response_status: row.response_status,
    error: row.error,
    duration_ms: row.duration_ms,
    created_at: timestamp(row.created_at),
    ended_at: timestampOrNull(row.ended_at),
  };
}
