/**
 * A page of 50 options of 10,000 by the route of a real server, warm, each for a draft of its own, so that no page comes from those
 * that are kept: the median, and what it takes over the limit. Limit: the same page read by the driver alone, in this process. Asks
 * no more often than a member may (300 times a minute).
 */
import { join } from 'node:path';
import { Client } from 'undici';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { allDrivers } from '../test/support/all-drivers.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { BareInsert } from './support/bare-insert.ts';
import { dashboardYaml, seedDashboards } from './support/dashboard-seed.ts';
import { measure, median } from './support/figure.ts';
import { nodeMemoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 10_000;
const pages = 60;
const warmPages = 40;
const optionsPerPage = 50;
const template = `
job_config:
  contact:
    type: form
    fields:
      - { key: note, type: text }
      - key: city
        type: select
        options_source: { connector: geo, method: list, args: { table: cities, sort: [id] }, value_expr: item.id, label_expr: item.name }
`;

const folder = workFolder();
const path = join(folder, 'geo.db');
const insert = new BareInsert(path, 'cities', ['id integer primary key', 'name text', 'country text']);
for (let id = 1; id <= rows; id++) insert.add(id, `City ${id}`, `C${id % 50}`);
insert.commit();
const server = await startServe(folder, { SVC_EXECUTOR_EMBEDDED: 'false', SVC_FILE_ROOTS: folder });
const { apiKey } = await createFirstUser(server.url, server.setupToken);
const { dashboardIds } = await seedDashboards(createApiClient({ baseUrl: server.url, key: apiKey }), {
  connectors: { geo: { type: 'sqlite', config: { path } } },
  template,
  dashboards: [dashboardYaml(['{ id: contact, type: form, config_key: contact }'])],
});
const client = new Client(server.url);
let asked = 0;

async function page(): Promise<void> {
  asked += 1;
  const answer = await client.request({
    method: 'POST',
    path: `/api/dashboards/${dashboardIds[0]}/widgets/contact/options`,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ side: 'city', value: { note: `draft ${asked}` } }),
  });
  const text = await answer.body.text();
  const { options } = JSON.parse(text) as { options?: unknown[] };
  if (options?.length !== optionsPerPage) throw new Error(text);
}

const driver = allDrivers.get('sqlite');
const context = { fileRoots: [folder], forbiddenFiles: [], connectTimeoutMs: 2_000 };
const connection = await driver?.connect({ path }, context);
const { signal } = new AbortController();

async function bare(): Promise<void> {
  await connection?.page({ resource: 'cities', sort: ['id'], limit: optionsPerPage, signal });
}

async function medianMs(times: number, work: () => Promise<void>): Promise<number> {
  const taken: number[] = [];
  for (let index = 0; index < times; index++) {
    const began = performance.now();
    await work();
    taken.push(performance.now() - began);
  }
  return median(taken);
}

try {
  await medianMs(warmPages, page);
  await medianMs(warmPages, bare);
  const rssMb = () => nodeMemoryBelow(server.pid);
  const over: number[] = [];
  let product = 0;
  await measure({
    name: 'option-page-p50',
    unit: 'ms',
    async product() {
      product = await medianMs(pages, page);
      return product;
    },
    async limit() {
      const limit = await medianMs(pages, bare);
      over.push(product - limit);
      return limit;
    },
    rssMb,
  });
  await measure({
    name: 'option-page-over-driver',
    unit: 'ms',
    rounds: 1,
    product: async () => median(over),
    limit: null,
    rssMb,
  });
} finally {
  await connection?.close();
  await client.close();
  await server.stop();
}
