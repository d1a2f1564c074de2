/**
 * Batches of shared dashboards whose answers are kept for their interval, asked of a real server by a client in a process of its own;
 * limit: a bare Fastify route that answers the same bytes to the same client. The limits of share links stay as they are (600 requests
 * a minute of an address, 6,000 of a link): 20 links are asked from 199 addresses, which a trusted proxy tells. Only the server's
 * limit for an address, which is a setting, is lifted.
 */
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { requireData } from './support/dashboard-plane.ts';
import { dashboardYaml, seedDashboards } from './support/dashboard-seed.ts';
import { measure } from './support/figure.ts';
import { loadHttp, startBareRoute } from './support/load-http.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const links = 20;
const addresses = 199;
const connections = 32;
const requests = 10_000;
const widgets = Array.from({ length: 8 }, (_, index) => `w${index}`);
const head = 'refresh_interval_seconds: 60\n';
const body = JSON.stringify({ widget_ids: widgets });

const server = await startServe(workFolder(), {
  SVC_EXECUTOR_EMBEDDED: 'false',
  SVC_RATE_LIMIT_PER_MINUTE: '10000000',
  SVC_TRUST_PROXY: '1',
});
const { apiKey } = await createFirstUser(server.url, server.setupToken);
const api = createApiClient({ baseUrl: server.url, key: apiKey });
const rows = Array.from({ length: 20 }, (_, id) => ({ id, name: `Person ${id}`, city: `City ${id % 7}` }));
const { dashboardIds } = await seedDashboards(api, {
  connectors: { people: { type: 'dummy', config: { rows } } },
  dashboards: Array.from({ length: links }, () =>
    dashboardYaml(
      widgets.map((id, index) =>
        index === 0
          ? `{ id: ${id}, type: table, connector: people, method: list }`
          : `{ id: ${id}, type: stat, connector: people, method: list, value_expr: "$count(data) + ${index}" }`,
      ),
      head,
    ),
  ),
});
const paths: string[] = [];
for (const id of dashboardIds) {
  const { share_token } = await api.post<{ share_token: string }>(`/api/dashboards/${id}/share`);
  paths.push(`/api/public/dashboards/${share_token}/widgets/data`);
}

const headers = { 'content-type': 'application/json' };
/** Computes what is stale now; all links have the same answer. */
async function refresh(): Promise<string> {
  let text = '';
  for (const path of paths)
    text = await (await fetch(new URL(path, server.url), { method: 'POST', headers, body })).text();
  return requireData(text);
}

const text = await refresh();
const bare = await startBareRoute({ text });
const load = { method: 'POST', paths, headers, body, connections, requests, addresses, status: 200 } as const;

async function answersPerSecond(url: string): Promise<number> {
  const { perSecond, bytes } = await loadHttp({ ...load, url });
  if (bytes !== Buffer.byteLength(text)) throw new Error(`an answer of ${bytes} bytes`);
  return perSecond;
}

try {
  await measure({
    name: 'public-batch',
    unit: 'requests/s',
    async product() {
      await refresh();
      return answersPerSecond(server.url);
    },
    limit: () => answersPerSecond(bare.url),
    rssMb: () => memoryBelow(server.pid)[0]?.rssMb ?? 0,
  });
} finally {
  bare.stop();
  await server.stop();
}
