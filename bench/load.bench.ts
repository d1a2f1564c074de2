/**
 * The load generator for ten seconds: eight executors over gRPC that take runs, log real lines (mixed sizes and levels, fields),
 * report metrics, save checkpoints and complete. Lines a second that were acknowledged, and how long a round of batches waited
 * for it. No limit: `log-ingest` has the bare one.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { measure, percentile } from './support/figure.ts';
import { LoadFleet } from './support/load-fleet.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const processes = 2;
const executorsPerProcess = 4;
const runs = 400;
const measuredMs = 10_000;
const warmMs = 2_000;
const key = 'c1e7f2904b6d4a38953e0d17ab62f48c';

const folder = workFolder();
const server = await startServe(folder, { SVC_EXECUTOR_KEY: key, SVC_EXECUTOR_EMBEDDED: 'false' });
const { apiKey } = await createFirstUser(server.url, server.setupToken);
const api = createApiClient({ baseUrl: server.url, key: apiKey });
const yaml_content = 'version: 1\nname: loaded\nsteps:\n  - { id: say, kind: log, message: "hello" }\n';
const task = await api.post<{ id: number }>('/api/tasks', { yaml_content });
for (let index = 0; index < runs; index++) await api.post(`/api/tasks/${task.id}/runs`, {});

const fleet = new LoadFleet({
  addresses: [server.grpcAddress],
  key,
  seed: 1,
  folder: join(folder, 'records'),
  processes,
  executorsPerProcess,
  slots: 4,
  batchLines: 100,
  linesPerRun: 20_000,
});

try {
  while (fleet.working < processes) await sleep(100);
  await sleep(warmMs);
  const before = fleet.figures;
  const waitedBefore = before.ackMs.length;
  await sleep(measuredMs);
  const after = fleet.figures;
  const rssMb = memoryBelow(server.pid)[0]?.rssMb ?? 0;
  const figure = (name: string, unit: string, value: number) =>
    measure({ name, unit, rounds: 1, product: async () => value, limit: null, rssMb: () => rssMb });
  await figure('load-lines', 'lines/s', (after.lines - before.lines) / (measuredMs / 1_000));
  await figure('load-metric-points', 'points/s', (after.points - before.points) / (measuredMs / 1_000));
  const waits = after.ackMs.slice(waitedBefore);
  await figure('load-ack-p50', 'ms', percentile(waits, 0.5));
  await figure('load-ack-p99', 'ms', percentile(waits, 0.99));
} finally {
  await fleet.stop(0);
  await server.stop();
}
