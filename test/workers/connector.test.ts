import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { ConnectorRef } from '../../src/drivers/connection-cache.ts';
import { startRealPool } from './fixtures/real-pool.ts';

t.test('connectors are tested, described and explored in the worker host', async (t) => {
  const folder = t.testdir();
  writeFileSync(join(folder, 'people.csv'), 'id,name\n1,Ada\n2,Bob\n3,Cy\n');
  const pool = startRealPool([folder]);
  t.teardown(() => pool.stop());
  const connector = { id: 1, version: 1, type: 'csv', config: { path: folder } };

  t.match(await pool.run({ kind: 'test_connector', input: { connector } }), { ok: true, message: String });
  const outside = { ...connector, id: 0, config: { path: '/etc' } };
  t.match(await pool.run({ kind: 'test_connector', input: { connector: outside } }), {
    ok: false,
    message: String,
  });
  const unknown = { ...connector, type: 'abacus' };
  t.match(await pool.run({ kind: 'test_connector', input: { connector: unknown } }), { ok: false });

  t.same(await pool.run({ kind: 'introspect', input: { connector, options: {} } }), {
    fallback: false,
    resources: [{ name: 'people.csv', type: 'file' }],
  });
  const described = await pool.run({
    kind: 'introspect',
    input: { connector, resource: 'people.csv', options: {} },
  });
  t.match(described, { columns: [{ name: 'id' }, { name: 'name', type: 'string' }] });
  await t.rejects(pool.run({ kind: 'introspect', input: { connector, resource: 'none.csv', options: {} } }), {
    code: 'NOT_FOUND',
  });
  const request = { resource: 'people.csv', limit: 2, filter: { name: { ne: 'Ada' } } };
  const page: unknown = JSON.parse(await pool.run({ kind: 'explore', input: { connector, request } }));
  t.match(page, { rows: [{ name: 'Bob' }, { name: 'Cy' }], next_cursor: null });
});

t.test('a fixed call may write, through a method that the driver has', async (t) => {
  const folder = t.testdir();
  const file = join(folder, 'recorded.ndjson');
  const pool = startRealPool([folder]);
  t.teardown(() => pool.stop());
  const config = { rows: [{ id: 1 }, { id: 2 }], record_to: file };
  const connector = { id: 1, version: 1, type: 'dummy', config };
  const call = async (
    method: string,
    args: unknown,
    of: ConnectorRef = connector,
    fields = {},
  ): Promise<unknown> => {
    const input = { connector: of, method, args, fields };
    return JSON.parse(await pool.run({ kind: 'connector_call', input }, { once: true }));
  };

  t.same(await call('record', { rows: [{ id: 7 }] }), { rows: 1 });
  t.match(readFileSync(file, 'utf8'), /"row":\{"id":7\}/);
  t.same(await call('list', { where: { id: 2 } }), [{ id: 2 }]);
  t.same(await call('list', {}, connector, { id: 2 }), [{ id: 2 }], 'a scope limits what it reads');
  t.same(await call('get', { value: 1 }), { id: 1 });
  t.equal(await call('get', { value: 9 }), null);
  await t.rejects(call('erase', {}), {
    code: 'CONNECTOR_ERROR',
    message: /^A connector of type "dummy" has no method "erase"; its methods are "list"/,
  });
  await t.rejects(call('record', { rows: [] }), { code: 'CONNECTOR_ERROR' });

  const path = join(folder, 'a.db');
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE n (i INTEGER); INSERT INTO n VALUES (1)');
  database.close();
  const sqlite = { id: 2, version: 1, type: 'sqlite', config: { path } };
  await t.rejects(call('query', { sql: 'DELETE FROM n RETURNING i' }, sqlite), { code: 'CONNECTOR_ERROR' });
  t.same(await call('count', { table: 'n' }, sqlite), 1, 'what is declared to read cannot write');
  await call('execute', { sql: 'DELETE FROM n' }, sqlite);
  t.same(await call('count', { table: 'n' }, sqlite), 0);
});

t.test('a preview runs in the worker host', async (t) => {
  const pool = startRealPool();
  t.teardown(() => pool.stop());
  const yaml = `
version: 1
name: look
connectors: { from: { type: dummy } }
steps:
  - { id: rows, kind: extract, connector: from, method: list, args: {} }
  - { id: shape, kind: transform, input: rows, ops: [{ filter: "item.id > 1" }] }
`;
  const config = { rows: [{ id: 1 }, { id: 2 }, { id: 3 }] };
  const connectors = { from: { id: 1, version: 1, type: 'dummy', name: 'd', config } };
  const input = { yaml, args: {}, jobConfig: {}, connectors, rowsMax: 10 };
  const outcome: unknown = JSON.parse(await pool.run({ kind: 'preview', input }));
  t.match(outcome, {
    failure: null,
    steps: [{ step_id: 'rows' }, { step_id: 'shape', rows: [{ id: 2 }, { id: 3 }] }],
  });
});
