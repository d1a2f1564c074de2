import { sleep } from '../base/clock.ts';
import type { RetryPolicy } from '../language/task/retry-policy.ts';
import { retryDelayMs } from './retry-delay.ts';
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
    `Trying again in ${(delayMs / 1000).toFixed(1)} s: ${fault.message}`,
    fields,
  );
  await sleep(delayMs, run.signal);
}
