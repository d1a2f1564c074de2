import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { startExecutor } from '../support/executor-process.ts';
import { ofFullList } from '../support/fault-list.ts';
import { freePort } from '../support/free-port.ts';
import { serve, until } from '../support/served.ts';

const KEY = '7f0c4d1be2a94c55b7d64a8f1f6a9d03e5b2c8a1';

const TASK = `
version: 1
name: copy_people
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people, mode: replace }
`;

interface Run {
  readonly status: string;
  readonly executor_id: number | null;
}

t.test(
  'an executor on another port does the same work, and gives its place back when it leaves',
  async (t) => {
    const grpcPort = await freePort();
    const served = await serve(t, {
      SVC_EXECUTOR_EMBEDDED: 'false',
      SVC_EXECUTOR_KEY: KEY,
      SVC_GRPC_PORT: String(grpcPort),
    });
    writeFileSync(join(served.folder, 'people.csv'), 'id,name\n1,Ada\n2,Grace\n3,Edsger\n');
    const source = await served.api.post<{ id: number }>('/api/connectors', {
      name: 's',
      type: 'csv',
      config: { path: join(served.folder, 'people.csv') },
    });
    const target = await served.api.post<{ id: number }>('/api/connectors', {
      name: 't',
      type: 'sqlite',
      config: { path: join(served.folder, 'people.db'), create: true },
    });
    const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
    const run = await served.api.post<{ id: number; status: string }>(`/api/tasks/${task.id}/runs`, {
      connectors: { source: source.id, target: target.id },
    });
    t.equal(run.status, 'queued', 'nobody is there yet');

    const { said, child } = await startExecutor(t, `127.0.0.1:${grpcPort}`, KEY, served.folder);
    t.match(said, /"remote".* is ready: 2 slots/);
    const ended = await until('the run ends', 20_000, async () => {
      const now = await served.api.get<Run>(`/api/runs/${run.id}`);
      return !['queued', 'running'].includes(now.status) && now;
    });
    t.equal(ended.status, 'success');
    const database = new DatabaseSync(join(served.folder, 'people.db'), { readOnly: true });
    t.same({ ...database.prepare('select count(*) as n from people').get() }, { n: 3 });
    database.close();
    const logs = await served.api.get<{ result: { seq: number }[]; last_seq: number; complete: boolean }>(
      `/api/runs/${run.id}/logs`,
    );
    t.equal(logs.complete, true, 'the log proves that it is whole');
    t.same(
      logs.result.map((line) => line.seq),
      Array.from({ length: logs.last_seq }, (_, index) => index + 1),
    );

    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    t.equal(code, 0);
    const executors = await served.api.get<{ result: { name: string; status: string }[] }>(
      '/api/server/executors',
    );
    t.match(executors.result, [{ name: 'remote', status: 'gone' }]);
  },
);

t.test(
  'with a certificate, executors from outside come through TLS, and the own one still works',
  ofFullList,
  async (t) => {
    const pem = (name: string) =>
      fileURLToPath(new URL(`../protocol/fixtures/tls/${name}.pem`, import.meta.url));
    const grpcPort = await freePort();
    const served = await serve(t, {
      SVC_EXECUTOR_KEY: KEY,
      SVC_GRPC_PORT: String(grpcPort),
      SVC_GRPC_TLS_CERT: pem('server'),
      SVC_GRPC_TLS_KEY: pem('server-key'),
      SVC_GRPC_TLS_CLIENT_CA: pem('ca'),
    });
    const certificates = ['--ca', pem('ca'), '--cert', pem('client'), '--cert-key', pem('client-key')];
    const { said } = await startExecutor(t, `127.0.0.1:${grpcPort}`, KEY, served.folder, certificates);
    t.match(said, /"remote".* is ready/);
    const executors = await served.api.get<{ result: { name: string; status: string }[] }>(
      '/api/server/executors',
    );
    const online = executors.result.filter((executor) => executor.status === 'online');
    t.same(online.map((executor) => executor.name).sort(), ['embedded', 'remote']);
  },
);
