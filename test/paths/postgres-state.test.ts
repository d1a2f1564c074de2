// Long list: it is a walk of another store; quick: test/store/store.test.ts, test/commands/store-commands.test.ts, test/paths/remote-executor.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { createDatabase } from '../support/postgres.ts';
import { serve, until } from '../support/served.ts';

const TASK = `
version: 1
name: copy_cities
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: cities, mode: replace }
`;

interface Logs {
  readonly result: readonly { readonly seq: number }[];
  readonly last_seq: number;
  readonly complete: boolean;
}

t.test('with its state in PostgreSQL the server does the same work', async (t) => {
  const { url } = await createDatabase(t);
  const served = await serve(t, { SVC_STATE_URL: url, SVC_STATE_PATH: '' });
  const file = (name: string) => join(served.folder, name);
  writeFileSync(file('cities.csv'), 'id,name\n1,Lagos\n2,Lima\n3,Lyon\n');
  const connector = (name: string, type: string, config: object) =>
    served.api.post<{ id: number }>('/api/connectors', { name, type, config });
  const source = await connector('s', 'csv', { path: file('cities.csv') });
  const target = await connector('t', 'sqlite', { path: file('cities.db'), create: true });
  const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const connectors = { source: source.id, target: target.id };
  const run = await served.api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors });
  const ended = await until('the run ends', 20_000, async () => {
    const now = await served.api.get<{ status: string }>(`/api/runs/${run.id}`);
    return !['queued', 'running'].includes(now.status) && now;
  });
  t.equal(ended.status, 'success');
  const database = new DatabaseSync(file('cities.db'), { readOnly: true });
  t.same({ ...database.prepare('select count(*) as n from cities').get() }, { n: 3 });
  database.close();
  const logs = await served.api.get<Logs>(`/api/runs/${run.id}/logs`);
  t.equal(logs.complete, true);
  t.equal(logs.result.length, logs.last_seq);
});
