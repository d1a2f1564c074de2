import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { runCli } from '../../support/run-cli.ts';
import { serve, until } from '../../support/served.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/driver/tsv-driver.ts');
const TASK = `
version: 1
name: copy_people
connectors: { files: { type: tsv }, db: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: files, method: read, args: { table: people } }
  - { id: write, kind: load, input: read, connector: db, object: people, mode: replace }
`;

t.test('a driver of one’s own is a connector type of the server, its threads and its executor', async (t) => {
  const { api, folder } = await serve(t, { SVC_DRIVERS: EXAMPLE, SVC_EXECUTOR_SLOTS: '1' });
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/people.tsv'), 'id\tname\n1\tAda\n2\tBob\n');
  const types = await api.get<{ result: { type: string }[] }>('/api/connectors/types');
  t.match(
    types.result.find(({ type }) => type === 'tsv'),
    { title: 'Tab-separated files', config: { properties: { folder: { type: 'string' } } } },
  );
  const connector = (name: string, type: string, config: object) =>
    api.post<{ id: number }>('/api/connectors', { name, type, config });
  await t.rejects(connector('wrong', 'tsv', { path: 'x' }), /folder|path/);
  const files = await connector('files', 'tsv', { folder: join(folder, 'data') });
  const db = await connector('db', 'sqlite', { path: join(folder, 'out.db'), create: true });
  t.match(await api.post(`/api/connectors/${files.id}/test`, {}), { ok: true, message: 'Tables: 1' });
  t.match(await api.post(`/api/connectors/${files.id}/explore`, { resource: 'people' }), {
    rows: [
      { id: '1', name: 'Ada' },
      { id: '2', name: 'Bob' },
    ],
  });
  const wrong = TASK.replace('table: people', 'tabel: people');
  await t.rejects(api.post('/api/tasks', { yaml_content: wrong }), /tabel/, 'its arguments are known');
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const connectors = { files: files.id, db: db.id };
  const { id } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors });
  const run = await until('the run ends', 60_000, async () => {
    const now = await api.get<{ status: string }>(`/api/runs/${id}`);
    return !['queued', 'running'].includes(now.status) && now;
  });
  t.match(run, { status: 'success' });
  const out = new DatabaseSync(join(folder, 'out.db'), { readOnly: true });
  t.equal(out.prepare('SELECT count(*) AS count FROM people').get()?.['count'], 2);
  out.close();
});

t.test('the server and an executor refuse to start with a driver that cannot be used', async (t) => {
  const cwd = t.testdir({ 'broken.mjs': 'export default { interfaceVersion: 7 };' });
  const env = { SVC_DRIVERS: './broken.mjs', SVC_HTTP_PORT: '0', SVC_CONFIG_FILE: '/dev/null' };
  const message = /The driver "\.\/broken\.mjs" is made for version 7 of the driver interface/;
  t.match(await runCli(['serve'], { cwd, env, ownProcess: false }), { code: 78, stderr: message });
  const executor = ['executor', '--server', '127.0.0.1:1', '--key', '9f4c1e7ab03d58e2f61c7d90ab34ef12'];
  t.match(await runCli(executor, { cwd, env, ownProcess: false }), { code: 78, stderr: message });
});
