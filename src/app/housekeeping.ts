import { once } from 'node:events';
import { type Clock, sleep } from '../base/clock.ts';
import { IDEMPOTENCY_KEPT_MS } from '../base/idempotency.ts';
import type { Logger } from '../base/logger.ts';
import { deleteExpiredSessions, deleteOldFailures } from '../modules/auth/auth-store.ts';
import { deleteStaleExecutors } from '../modules/executors/executor-store.ts';
import { type LogRetentionSettings, logRetentionOf } from '../modules/run-logs/run-log-retention.ts';
import type { RunLogWriter } from '../modules/run-logs/run-log-writer.ts';
import { sweepWebhooks } from '../modules/webhooks/webhook-retention.ts';
import { deleteOldIdempotencyKeys } from '../store/idempotency-store.ts';
import { selectNow } from '../store/select-now.ts';
import type { Store } from '../store/store.ts';

const EVERY_MS = 10 * 60_000;
/** A server that has just started has other things to do. */
const FIRST_MS = 30_000;
const FAILURES_KEPT_MS = 2 * 86_400_000;
const EXECUTORS_KEPT_MS = 7 * 86_400_000;

export interface HousekeepingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logs: Pick<RunLogWriter, 'prune'>;
  /** Asked at each sweep: it may be changed while the server runs. */
  readonly retention: () => Promise<LogRetentionSettings>;
}

/** Deletes what has had its time, every ten minutes; returns what stops it. Harmless when several servers do it at once. */
export function startHousekeeping(deps: HousekeepingDeps): () => Promise<void> {
  const { store, clock, logger } = deps;
  const stop = new AbortController();
  const done = (async () => {
    for (let pauseMs = FIRST_MS; ; pauseMs = EVERY_MS) {
      await sleep(pauseMs, stop.signal);
      if (stop.signal.aborted) return;
      const failed = (error: unknown) => logger.warn({ err: error }, 'housekeeping failed');
      await sweep(store, clock.now()).catch(failed);
      // Stopping the server does not wait until all is deleted: the next sweep continues.
      await Promise.race([pruneLogs(deps).catch(failed), aborted(stop.signal)]);
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
    await store.dialect.allowLong(tx);
    await deleteExpiredSessions(tx, now);
    await deleteOldFailures(tx, now - FAILURES_KEPT_MS);
    await deleteStaleExecutors(tx, now - EXECUTORS_KEPT_MS);
  });
  await sweepWebhooks(store);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** By the store's clock, as the lines are: those of several servers need not agree. */
async function pruneLogs({ store, logs, retention }: HousekeepingDeps): Promise<void> {
  await logs.prune(logRetentionOf(await retention(), await selectNow(store.read, store.dialect)));
}
