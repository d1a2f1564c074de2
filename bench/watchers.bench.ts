/**
 * What 500 executors that heartbeat (all idle but 40, which log a line now and then) and 200 watchers of logs over SSE cost the
 * control plane: its share of one core, and its resident memory. No limit: the work is the waiting.
 */
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { measure } from './support/figure.ts';
import { LoadFleet } from './support/load-fleet.ts';
import { cpuSecondsOf } from './support/process-cpu.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const executors = 500;
const processes = 4;
const watchers = 200;
const runs = 40;
const measuredMs = 20_000;
const key = 'c1e7f2904b6d4a38953e0d17ab62f48c';

const folder = workFolder();
const server = await startServe(folder, { SVC_EXECUTOR_KEY: key, SVC_EXECUTOR_EMBEDDED: 'false' });
const { apiKey } = await createFirstUser(server.url, server.setupToken);
const api = createApiClient({ baseUrl: server.url, key: apiKey });
const yaml_content = 'version: 1\nname: watched\nsteps:\n  - { id: say, kind: log, message: "hello" }\n';
const task = await api.post<{ id: number }>('/api/tasks', { yaml_content });
const ids: number[] = [];
for (let index = 0; index < runs; index++)
  ids.push((await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, {})).id);

const fleet = new LoadFleet({
  addresses: [server.grpcAddress],
  key,
  seed: 1,
  folder: join(folder, 'records'),
  processes,
  executorsPerProcess: executors / processes,
  slots: 1,
  batchLines: 1,
  linesPerRun: 100_000,
  linesPerSecondMax: 5,
  metricPoints: 0,
});
let events = 0;
const streams = Array.from({ length: watchers }, (_, index) =>
  get(
    `${server.url}/api/runs/${ids[index % runs]}/logs/stream`,
    { headers: { authorization: `Bearer ${apiKey}` } },
    (answer) => answer.on('data', () => (events += 1)),
  ).on('error', () => undefined),
);

async function online(): Promise<number> {
  const { result } = await api.get<{ result: { status: string }[] }>(
    `/api/server/executors?limit=${executors}`,
  );
  return result.filter(({ status }) => status === 'online').length;
}

try {
  for (let waited = 0; (await online()) < executors && waited < 120; waited++) await sleep(500);
  await sleep(5_000);
  const before = cpuSecondsOf(server.pid);
  const began = performance.now();
  await sleep(measuredMs);
  const share = ((cpuSecondsOf(server.pid) - before) / ((performance.now() - began) / 1_000)) * 100;
  const rssMb = memoryBelow(server.pid)[0]?.rssMb ?? 0;
  if (events < watchers) throw new Error(`The watchers heard ${events} events`);
  await measure({
    name: 'watchers-cpu',
    unit: '%core',
    rounds: 1,
    product: async () => share,
    limit: null,
    rssMb: () => rssMb,
  });
} finally {
  for (const stream of streams) stream.destroy();
  await fleet.stop(0);
  await server.stop();
}
