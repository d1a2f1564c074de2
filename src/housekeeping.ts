import { type Clock, sleep } from './base/clock.ts';
import { IDEMPOTENCY_KEPT_MS } from './base/idempotency.ts';
import type { Logger } from './base/logger.ts';
import { deleteExpiredSessions, deleteOldFailures } from './modules/auth/auth-store.ts';
import { deleteStaleExecutors } from './modules/executors/executor-store.ts';
import { deleteOldIdempotencyKeys } from './store/idempotency-store.ts';
import type { Store } from './store/store.ts';

const EVERY_MS = 10 * 60_000;
const FAILURES_KEPT_MS = 2 * 86_400_000;
const EXECUTORS_KEPT_MS = 7 * 86_400_000;

/** Deletes what has had its time, every ten minutes; returns what stops it. Harmless when several servers do it at once. */
export function startHousekeeping(store: Store, clock: Clock, logger: Logger): () => Promise<void> {
  const stop = new AbortController();
  const done = (async () => {
    while (!stop.signal.aborted) {
      await sleep(EVERY_MS, stop.signal);
      if (stop.signal.aborted) return;
      await sweep(store, clock.now()).catch((error: unknown) =>
        logger.warn({ err: error }, 'housekeeping failed'),
      );
    }
  })();
  return async () => {
    stop.abort();
    await done;
  };
}

async function sweep(store: Store, now: number): Promise<void> {
  await deleteOldIdempotencyKeys(store, now - IDEMPOTENCY_KEPT_MS);
  await store.write(async (tx) => {
    await deleteExpiredSessions(tx, now);
    await deleteOldFailures(tx, now - FAILURES_KEPT_MS);
    await deleteStaleExecutors(tx, now - EXECUTORS_KEPT_MS);
  });
}
