/**
 * What a task costs besides its rows, over the REST API of `headgate serve` with all its processes (SQLite): a task of two rows, from its
 * start, which is when the executor has acknowledged it, to its end (bar: 60 ms to the first row), and a `foreach` over 1,000 items of one
 * log step each, from its start to its end (bar: 2,000 ms).
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createFirstUser } from '../src/commands/demo/first-user.ts';
import { createApiClient } from '../test/support/api-client.ts';
import { measure } from './support/figure.ts';
import { nodeMemoryBelow, startServe } from './support/serve-process.ts';
import { workFolder } from './support/work-folder.ts';

const items = 1_000;
const warmUps = 3;
const pollMs = 100;
const endMsMax = 60_000;
const folder = mkdtempSync(join(workFolder(), 'costs-'));
writeFileSync(join(folder, 'two.csv'), 'id,name\n1,Ada\n2,Grace\n');

const TWO_ROWS = `version: 1
name: two_rows
connectors: { file: { type: csv }, warehouse: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: file, method: read }
  - { id: write, kind: load, input: read, connector: warehouse, object: people, mode: replace }
`;
const FOREACH = `version: 1
name: each_item
steps:
  - id: each
    kind: foreach
    in_expr: "[1..${items}]"
    concurrency: 4
    steps:
      - { id: say, kind: log, message: done }
`;

interface Run {
  readonly status: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

const server = await startServe(folder, { SVC_FILE_ROOTS: folder });
try {
  const { apiKey } = await createFirstUser(server.url, server.setupToken);
  const api = createApiClient({ baseUrl: server.url, key: apiKey });
  const made = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
  const path = { file: join(folder, 'two.csv'), warehouse: join(folder, 'warehouse.db') };
  const connectors = {
    file: await made('/api/connectors', { name: 'Two', type: 'csv', config: { path: path.file } }),
    warehouse: await made('/api/connectors', {
      name: 'Warehouse',
      type: 'sqlite',
      config: { path: path.warehouse },
    }),
  };
  const runOf = async (task: number, body: object) => {
    const id = await made(`/api/tasks/${task}/runs`, body);
    const deadline = performance.now() + endMsMax;
    while (performance.now() < deadline) {
      // Asking costs the server time: less often while it works.
      await sleep(pollMs);
      const { status, started_at, ended_at } = await api.get<Run>(`/api/runs/${id}`);
      if (ended_at === null) continue;
      if (status !== 'success') throw new Error(`The run ended as ${status}`);
      return Date.parse(ended_at) - Date.parse(started_at ?? ended_at);
    }
    throw new Error('The run did not end');
  };
  for (const [name, yaml_content, body] of [
    ['task-of-two-rows', TWO_ROWS, { connectors }],
    ['foreach-1000-items', FOREACH, {}],
  ] as const) {
    const task = await made('/api/tasks', { yaml_content });
    for (let index = 0; index < warmUps; index++) await runOf(task, body);
    await measure({
      name,
      unit: 'ms',
      rounds: 7,
      product: () => runOf(task, body),
      limit: null,
      rssMb: () => nodeMemoryBelow(server.pid),
    });
  }
} finally {
  await server.stop();
}
