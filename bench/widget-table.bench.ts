/**
 * A table of 1,000 rows and ten columns by the route of a real server: the control plane's own processor time for one answer, without
 * the worker host's; limit: the processor time of one JSON.stringify of the answer.
 */

import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { requireData } from './support/dashboard-plane.ts';
import { dashboardYaml, seedDashboards } from './support/dashboard-seed.ts';
import { measure } from './support/figure.ts';
import { makePeopleTable } from './support/people-table.ts';
import { cpuSecondsOf } from './support/process-cpu.ts';
import { memoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000;
const answers = 400;

const folder = workFolder();
const path = makePeopleTable(folder, rows);
const server = await startServe(folder, {
  SVC_EXECUTOR_EMBEDDED: 'false',
  SVC_FILE_ROOTS: folder,
  SVC_RATE_LIMIT_PER_MINUTE: '10000000',
});
const { apiKey } = await createFirstUser(server.url, server.setupToken);
const { dashboardIds } = await seedDashboards(createApiClient({ baseUrl: server.url, key: apiKey }), {
  connectors: { db: { type: 'sqlite', config: { path } } },
  dashboards: [
    dashboardYaml([
      '{ id: people, type: table, connector: db, method: query, args: { sql: "SELECT * FROM people" } }',
    ]),
  ],
});
const url = new URL(`/api/dashboards/${dashboardIds[0]}/widgets/data`, server.url);
const headers = { authorization: `Bearer ${apiKey}`, 'accept-encoding': 'identity' };

async function answer(): Promise<string> {
  const got = await fetch(url, { method: 'POST', headers });
  const text = await got.text();
  if (got.status !== 200) throw new Error(text);
  return text;
}

async function product(): Promise<number> {
  const before = cpuSecondsOf(server.pid);
  for (let index = 0; index < answers; index++) await answer();
  return (1_000 * (cpuSecondsOf(server.pid) - before)) / answers;
}

const value: unknown = JSON.parse(requireData(await answer()));

async function limit(): Promise<number> {
  const before = process.cpuUsage();
  let chars = 0;
  for (let index = 0; index < answers; index++) chars += JSON.stringify(value).length;
  if (chars < rows * answers) throw new Error('the answer is no table');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / answers;
}

try {
  await product();
  await limit();
  const rssMb = () => memoryBelow(server.pid)[0]?.rssMb ?? 0;
  await measure({ name: 'widget-table-cpu', unit: 'ms', product, limit, rssMb });
} finally {
  await server.stop();
}
