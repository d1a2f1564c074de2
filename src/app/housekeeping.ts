import { once } from 'node:events';
import { type Clock, sleep } from '../base/clock.ts';
import { IDEMPOTENCY_KEPT_MS } from '../base/idempotency.ts';
import type { Logger } from '../base/logger.ts';
import { deleteExpiredSessions, deleteOldFailures } from '../modules/auth/auth-store.ts';
import { Pieces } from '../modules/deletions/pieces.ts';
import { deleteStaleExecutors } from '../modules/executors/executor-store.ts';
import { type RunRetentionSettings, sweepRetention } from '../modules/retention/retention-sweep.ts';
import type { RunPruning } from '../modules/retention/run-pruning.ts';
import { type LogRetentionSettings, logRetentionOf } from '../modules/run-logs/run-log-retention.ts';
import type { RunLogWriter } from '../modules/run-logs/run-log-writer.ts';
import { sweepRunTexts } from '../modules/run-texts/run-text-sweep.ts';
import { sweepWebhooks } from '../modules/webhooks/webhook-retention.ts';
import { deleteOldIdempotencyKeys } from '../store/idempotency-store.ts';
import { selectNow } from '../store/select-now.ts';
import type { Store } from '../store/store.ts';

const EVERY_MS = 10 * 60_000;
/** A server that has just started has other things to do. */
const FIRST_MS = 30_000;
const SHRINK_PAUSE_MS = 20;
const FAILURES_KEPT_MS = 2 * 86_400_000;
const EXECUTORS_KEPT_MS = 7 * 86_400_000;

export interface HousekeepingDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logs: Pick<RunLogWriter, 'prune'>;
  /** Asked at each sweep: it may be changed while the server runs. */
  readonly retention: () => Promise<LogRetentionSettings & RunRetentionSettings>;
  readonly runPruning: RunPruning;
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
      await sweep(store, clock.now(), stop.signal).catch(failed);
      await sweepOld(deps, stop.signal).catch(failed);
      // Stopping the server does not wait until all is deleted: the next sweep continues.
      await Promise.race([pruneLogs(deps).catch(failed), aborted(stop.signal)]);
      await sweepRunTexts(store, stop.signal).catch(failed);
      await shrink(store, stop.signal).catch(failed);
    }
  })();
  return async () => {
    stop.abort();
    await done;
  };
}

async function sweep(store: Store, now: number, signal: AbortSignal): Promise<void> {
  const pieces = new Pieces(store, signal);
  await pieces.all((tx, limit) => deleteOldIdempotencyKeys(tx, now - IDEMPOTENCY_KEPT_MS, limit));
  await store.write(async (tx) => {
    await store.dialect.allowLong(tx);
    await deleteExpiredSessions(tx, now);
    await deleteOldFailures(tx, now - FAILURES_KEPT_MS);
    await deleteStaleExecutors(tx, now - EXECUTORS_KEPT_MS);
  });
  await sweepWebhooks(store, pieces);
}

async function sweepOld({ retention, ...deps }: HousekeepingDeps, signal: AbortSignal): Promise<void> {
  await sweepRetention(deps, await retention(), signal);
}

/** In small pieces, with pauses in which others write. */
async function shrink(store: Store, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await store.shrink())) await sleep(SHRINK_PAUSE_MS, signal);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** By the store's clock, as the lines are: those of several servers need not agree. */
async function pruneLogs({ store, logs, retention }: HousekeepingDeps): Promise<void> {
  await logs.prune(logRetentionOf(await retention(), await selectNow(store.read, store.dialect)));
}
