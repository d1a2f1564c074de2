// Long list: it walks through a whole server; quick: test/modules/connectors/outside-values.test.ts, test/executor/redaction.test.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { serve, until } from '../support/served.ts';

const TASK = `version: 1
name: copy
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: say, kind: log, message: "Reads from {{ args.place }}" }
  - { id: write, kind: load, input: read, connector: target, object: rows, mode: replace }
args: { place: { type: string } }
`;

t.test('a saved connector takes values from the server’s environment and files', async (t) => {
  // The folder of the test is the server's.
  const secrets = mkdtempSync(join(tmpdir(), 'headgate-outside-'));
  t.teardown(() => rmSync(secrets, { recursive: true }));
  writeFileSync(join(secrets, 'name'), 'orders-of-nord\n');
  const served = await serve(t, {
    SVC_CONNECTOR_ENV: 'SHOP_PLACE',
    SVC_CONNECTOR_FILES: secrets,
    SHOP_PLACE: 'shop-17',
  });
  const { api, folder } = served;
  mkdirSync(join(folder, 'shop-17'), { recursive: true });
  writeFileSync(join(folder, 'shop-17', 'orders-of-nord.csv'), 'id\n1\n2\n');
  const path = `${folder}/\${env:SHOP_PLACE}/\${file:${join(secrets, 'name')}}.csv`;
  const source = await api.post<{ id: number; config: { path: string } }>('/api/connectors', {
    name: 'source',
    type: 'csv',
    config: { path },
  });
  t.equal(source.config.path, path, 'the reference is what is stored and shown');
  const refused = api.post('/api/connectors', { name: 'x', type: 'csv', config: { path: `\${env:HOME}` } });
  await t.rejects(refused, /does not allow/);
  const target = await api.post<{ id: number }>('/api/connectors', {
    name: 'target',
    type: 'sqlite',
    config: { path: join(folder, 'out.db'), create: true },
  });
  t.match(await api.post(`/api/connectors/${source.id}/test`, {}), { ok: true });
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const run = async () => {
    const { id } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, {
      connectors: { source: source.id, target: target.id },
      args: { place: 'orders-of-nord' },
    });
    return until('the run ends', 60_000, async () => {
      const found = await api.get<{ ended_at: string | null; status: string; error: unknown }>(
        `/api/runs/${id}`,
      );
      return found.ended_at !== null && { ...found, id };
    });
  };
  const done = await run();
  t.equal(done.status, 'success');
  const log = await api.get<{ result: { message: string }[] }>(`/api/runs/${done.id}/logs?limit=200`);
  const text = JSON.stringify(log);
  t.match(text, 'Reads from');
  t.notMatch(text, 'orders-of-nord', 'what came from outside is no part of the log');

  rmSync(join(secrets, 'name'));
  const failed = await run();
  t.equal(failed.status, 'error');
  t.match(JSON.stringify(failed.error), /connector \\"source\\".*cannot read it: it does not exist/);
  const test = await api.post<{ ok: boolean; message: string }>(`/api/connectors/${source.id}/test`, {});
  t.match(test, { ok: false, message: /cannot read it: it does not exist/ });
});
