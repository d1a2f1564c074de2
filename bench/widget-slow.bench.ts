/**
 * Batches of 12 widgets whose connector takes 20 ms, 30 batches a second by the route of a real server: how long a batch takes, from
 * the moment when it is due. 30 dashboards take turns and each widget makes a call of its own, so that no call is made for two
 * widgets or for two batches. Limit: 20 ms as often as the batch's cap lets its widgets follow each other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { BATCH_LIMITS } from '../src/modules/dashboard-widgets/batch/widget-batch.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { requireData } from './support/dashboard-plane.ts';
import { dashboardYaml, seedDashboards } from './support/dashboard-seed.ts';
import { measure, percentile } from './support/figure.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const dashboards = 30;
const widgets = 12;
const delayMs = 20;
const batchesPerSecond = 30;
const seconds = 6;

const server = await startServe(workFolder(), {
  SVC_EXECUTOR_EMBEDDED: 'false',
  SVC_RATE_LIMIT_PER_MINUTE: '10000000',
});
const { apiKey } = await createFirstUser(server.url, server.setupToken);
const { dashboardIds } = await seedDashboards(createApiClient({ baseUrl: server.url, key: apiKey }), {
  connectors: { slow: { type: 'dummy', config: { delay_ms: delayMs } } },
  dashboards: Array.from({ length: dashboards }, (_, board) =>
    dashboardYaml(
      Array.from({ length: widgets }, (_, index) => {
        const value = board * widgets + index;
        return `{ id: w${index}, type: stat, connector: slow, method: echo, args: { value: ${value} } }`;
      }),
    ),
  ),
});
const client = new Pool(server.url, { connections: 64 });

async function batch(id: number): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const path = `/api/dashboards/${id}/widgets/data`;
  const answer = await client.request({ method: 'POST', path, headers });
  return requireData(await answer.body.text());
}

/** Milliseconds of each batch, with what it waited for its turn: one that is late delays none after it. */
async function load(batches: number): Promise<number[]> {
  const began = performance.now();
  const taken: Promise<number>[] = [];
  for (let index = 0; index < batches; index++) {
    const dueAt = began + (index * 1_000) / batchesPerSecond;
    const early = dueAt - performance.now();
    if (early > 0) await sleep(early);
    taken.push(batch(dashboardIds[index % dashboards] ?? 0).then(() => performance.now() - dueAt));
  }
  return Promise.all(taken);
}

try {
  await load(2 * batchesPerSecond);
  const rounds: number[][] = [];
  for (let round = 0; round < 3; round++) rounds.push(await load(seconds * batchesPerSecond));
  for (const [name, share] of [
    ['widget-slow-p50', 0.5],
    ['widget-slow-p99', 0.99],
  ] as const) {
    let round = 0;
    await measure({
      name,
      unit: 'ms',
      product: async () => percentile(rounds[round++] ?? [], share),
      limit: async () => delayMs * Math.ceil(widgets / BATCH_LIMITS.callsAtOnce),
      rssMb: () => memoryBelow(server.pid).reduce((sum, found) => sum + found.rssMb, 0),
    });
  }
} finally {
  await client.close();
  await server.stop();
}
