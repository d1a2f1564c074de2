import { sleep } from '../base/clock.ts';
import type { RetryPolicy } from '../language/task/retry-policy.ts';
import type { RunFault } from './run-fault.ts';
import type { RunState } from './run-state.ts';

/** Tells the log why a step tries again and when, and waits for that; less when the run ends meanwhile. */
export async function waitToRetry(
  run: RunState,
  policy: RetryPolicy,
  fault: RunFault,
  attempt: number,
): Promise<void> {
  const delayMs = retryDelayMs(policy, attempt, run.context.random, fault.retryAfterMs);
  const fields = { code: fault.code, attempt, delay_ms: delayMs };
  run.ports.log(
    'warn',
    fault.stepId,
    `Retrying in ${(delayMs / 1000).toFixed(1)} s: ${fault.message}`,
    fields,
  );
  await sleep(delayMs, run.signal);
}

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
