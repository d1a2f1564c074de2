import type { HttpConfig } from './config.ts';

type Retry = HttpConfig['retry'];

/** A time this far back is none: the header holds seconds from now. */
const EPOCH_SECONDS_MIN = 1_000_000_000;

/**
 * What an answer says of the next attempt, in milliseconds; null where it says nothing. `retry_after_header` holds seconds or a date (RFC 9110,
 * 10.2.3), `reset_header` seconds or a time in seconds since 1970.
 */
export function askedWaitMs(
  retry: Retry,
  headers: Readonly<Record<string, string>>,
  now: number,
): number | null {
  const after = headers[retry.retry_after_header.toLowerCase()];
  if (after !== undefined) {
    const ms = /^\d+(\.\d+)?$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now;
    if (Number.isFinite(ms)) return Math.max(0, ms);
  }
  const reset = retry.reset_header === undefined ? undefined : headers[retry.reset_header.toLowerCase()];
  if (reset === undefined || !/^\d+(\.\d+)?$/.test(reset)) return null;
  const seconds = Number(reset);
  return Math.max(0, seconds >= EPOCH_SECONDS_MIN ? seconds * 1_000 - now : seconds * 1_000);
}

/** The wait after an attempt, from 1 on, with full jitter: clients that failed together do not come back together. */
export function backoffMs(
  { base_ms, max_ms }: Retry,
  attempt: number,
  random: () => number = Math.random,
): number {
  return random() * Math.min(max_ms, base_ms * 2 ** (attempt - 1));
}
