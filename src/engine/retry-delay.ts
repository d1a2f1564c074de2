import type { RetryPolicy } from '../language/task/retry-policy.ts';

/** Longest wait that the other side may ask for with `Retry-After`. */
export const RETRY_AFTER_MAX_MS = 3_600_000;

/**
 * Milliseconds to wait after attempt `attempt` (counted from 1): `delayMs * factor^(attempt-1)`, at most `maxDelayMs`, moved
 * by up to ± `jitter` of itself. A longer `retryAfterMs` wins, up to `RETRY_AFTER_MAX_MS`.
 */
export function retryDelayMs(
  policy: RetryPolicy,
  attempt: number,
  random: () => number,
  retryAfterMs?: number | undefined,
): number {
  const plain = Math.min(policy.maxDelayMs, policy.delayMs * policy.factor ** (attempt - 1));
  const moved = Math.max(0, Math.round(plain * (1 + policy.jitter * (random() * 2 - 1))));
  return Math.max(moved, Math.min(RETRY_AFTER_MAX_MS, retryAfterMs ?? 0));
}
