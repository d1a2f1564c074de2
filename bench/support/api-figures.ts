import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFirstUser } from '../../src/commands/demo/first-user.ts';
import { TASK_YAML } from '../../src/modules/definitions/yaml-examples.ts';
import { type ApiClient, createApiClient } from '../../test/support/api-client.ts';
import { measure } from './figure.ts';
import type { HttpLoad } from './http-load.ts';
import { loadHttp, startBareRoute } from './load-http.ts';
import { cpuSecondsOf } from './process-cpu.ts';
import { memoryBelow, startServe } from './serve-process.ts';
import { workFolder } from './work-folder.ts';

const connections = 32;
const taskCount = 100_000;

/** The name of a task; `4217` is in those of some sixty among 100,000. */
const nameSql = `printf('load_orders_%06d', (n * 7919) % 1000003)`;

type ApiLoad = Pick<HttpLoad, 'method' | 'paths' | 'body' | 'requests' | 'status'>;

export interface ApiFigures {
  readonly api: ApiClient;
  /** Prints a figure of these requests to a real server; limit: records from a bare Fastify route with one SQLite select. */
  measure(name: string, load: ApiLoad): Promise<void>;
  /** Prints the processor time that all processes of the server together need for one of these requests; no limit. */
  measureCpu(name: string, load: ApiLoad): Promise<void>;
  stop(): Promise<void>;
}

/** A server over 100,000 tasks in SQLite, without an executor. */
export async function startApiFigures(): Promise<ApiFigures> {
  const folder = workFolder();
  const server = await startServe(folder, {
    SVC_EXECUTOR_EMBEDDED: 'false',
    SVC_RATE_LIMIT_PER_MINUTE: '10000000',
  });
  const { apiKey } = await createFirstUser(server.url, server.setupToken);
  const file = join(folder, 'state.db');
  seedTasks(file);
  const select = 'select * from tasks where id = ?';
  const bare = await startBareRoute({ file, select, ids: taskCount });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` };
  const perSecond = async (load: Omit<HttpLoad, 'headers' | 'connections' | 'addresses'>) =>
    (await loadHttp({ ...load, headers, connections, addresses: 1 })).perSecond;
  return {
    api: createApiClient({ baseUrl: server.url, key: apiKey }),
    measure: (name, load) =>
      measure({
        name,
        unit: 'requests/s',
        product: () => perSecond({ ...load, url: server.url }),
        limit: () =>
          perSecond({ method: 'GET', paths: ['/'], body: '', requests: 5_000, status: 200, url: bare.url }),
        rssMb: () => memoryBelow(server.pid)[0]?.rssMb ?? 0,
      }),
    measureCpu: (name, load) =>
      measure({
        name,
        unit: 'ms/request',
        product: async () => {
          const before = cpuSecondsBelow(server.pid);
          await perSecond({ ...load, url: server.url });
          return (1_000 * (cpuSecondsBelow(server.pid) - before)) / load.requests;
        },
        limit: null,
        rssMb: () => memoryBelow(server.pid)[0]?.rssMb ?? 0,
      }),
    async stop() {
      bare.stop();
      await server.stop();
    },
  };
}

/** None of them may end meanwhile. */
function cpuSecondsBelow(pid: number): number {
  return memoryBelow(pid).reduce((sum, found) => sum + cpuSecondsOf(found.pid), 0);
}

function seedTasks(file: string): void {
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database
    .prepare(
      `insert into tasks (name, description, yaml_content, status, labels_json, connectors_json, created_at, updated_at, updated_by)
       with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${taskCount})
       select ${nameSql}, 'Orders of shop ' || n, ?, 'active', '{"team":"orders"}', '{"file":{"type":"csv"}}',
         1760000000000 + n, 1760000000000 + n, 'ada@example.com' from counted`,
    )
    .run(TASK_YAML);
  database.close();
}
