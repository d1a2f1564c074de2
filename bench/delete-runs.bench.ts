/**
 * 80,000 job runs with their attempts, steps, history, dead letters and logs are deleted (SQLite): with their job, and by
 * retention, which keeps the last 100. How long the event loop is held meanwhile (p99), the CPU time of the longest transaction or
 * look, which a busy machine does not change, and how long it takes in all. Limit: what one piece aims at.
 */
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { systemClock } from '../src/base/clock.ts';
import { silentLogger } from '../src/base/logger.ts';
import { markDeleted } from '../src/modules/deletions/deletion-store.ts';
import { DeletionWorker } from '../src/modules/deletions/deletion-worker.ts';
import { PIECE_MS } from '../src/modules/deletions/pieces.ts';
import { createRunPruning } from '../src/modules/retention/run-pruning.ts';
import { createRunLogWriter } from '../src/modules/run-logs/run-log-writer.ts';
import { openStore } from '../src/store/open-store.ts';
import type { Store } from '../src/store/store.ts';
import { makeEndedRuns, makeLogRows } from '../test/support/ended-runs.ts';
import { measure, secondsOf } from './support/figure.ts';
import { workFolder } from './support/work-folder.ts';

const runs = 80_000;
const jobId = 1;
const folder = workFolder();

async function deleteAll(name: string, begin: (store: Store) => Promise<unknown>): Promise<void> {
  const store = await openStore({ kind: 'localdb', path: join(folder, `${name}.db`) }, silentLogger);
  const noSecrets = {
    secretsOf: async () => [],
    redactorOf: () => Promise.reject(new Error('no line comes')),
  };
  const logs = createRunLogWriter(store, { secrets: noSecrets });
  const { runId } = await makeEndedRuns(store, { jobId, count: runs });
  await makeLogRows(store, runId, runs);
  let pieceMs = 0;
  const timed: Store = {
    ...store,
    write: async (work, of) => {
      const before = process.threadCpuUsage();
      const result = await store.write(work, of);
      const { user, system } = process.threadCpuUsage(before);
      pieceMs = Math.max(pieceMs, (user + system) / 1_000);
      return result;
    },
  };
  const forgetRuns = (ids: readonly number[]) => logs.forget(ids);
  const worker = new DeletionWorker({ store: timed, clock: systemClock, logger: silentLogger, forgetRuns });
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const seconds = await secondsOf(async () => {
    await begin(timed);
    await worker.deleteAll();
  });
  held.disable();
  await logs.close();
  await store.close();
  const figures = [
    { of: 'held-p99', unit: 'ms', value: held.percentile(99) / 1e6, limit: PIECE_MS },
    { of: 'piece-cpu-max', unit: 'ms', value: pieceMs, limit: PIECE_MS },
    { of: 'all', unit: 's', value: seconds, limit: null },
  ];
  for (const { of, unit, value, limit } of figures)
    await measure({
      name: `delete-runs-${name}-${of}`,
      unit,
      rounds: 1,
      product: async () => value,
      limit: limit === null ? null : async () => limit,
    });
}

await deleteAll('job', (store) => store.write((tx) => markDeleted(tx, 'job', [jobId], 0)));
await deleteAll('retention', (store) =>
  createRunPruning({ store, clock: systemClock }).prune({
    endedBefore: Date.now(),
    keepLast: 100,
    openDeadLetters: false,
  }),
);
