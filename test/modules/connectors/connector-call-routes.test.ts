import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { ConnectorRecord } from '../../../src/modules/connectors/connector.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createConnectorsApp } from './connectors-app.ts';

t.test('what is asked of a connector happens in the worker host', async (t) => {
  const folder = t.testdir({ 'people.csv': 'id;name\n1;Ada\n2;Grace\n' });
  const database = new DatabaseSync(join(folder, 'crm.db'));
  database.exec('create table contacts (id integer primary key, email text not null, age integer)');
  database.exec(
    "insert into contacts values (1, 'ada@x.org', 36), (2, 'bob@x.org', 17), (3, 'eve@x.org', 41)",
  );
  database.close();
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const store = await openTestStore(t, 'sqlite');
  const { as, app } = await createConnectorsApp(t, store, pool);
  const save = async (name: string, type: string, config: object) =>
    `/api/connectors/${(await as('admin').post<ConnectorRecord>('/api/connectors', { name, type, config })).body.id}`;
  const crm = await save('crm', 'sqlite', { path: 'crm.db' });
  const files = await save('files', 'csv', { path: '.' });
  const broken = await save('broken', 'sqlite', { path: 'absent.db', create: false });
  const failing = await save('failing', 'dummy', { fault: 'UNAVAILABLE', message: 'The other side is down' });
  const editor = as('editor');

  await t.test('a test says what it reached, or why it did not', async (t) => {
    t.match(await editor.post(`${crm}/test`), {
      status: 200,
      body: { ok: true, message: /SQLite/, duration_ms: Number },
    });
    t.match(await editor.post(`${broken}/test`), { status: 200, body: { ok: false, message: String } });
    const ask = (who: ReturnType<typeof as>, config: object) =>
      who.post('/api/connectors/test', { type: 'sqlite', config });
    const unsaved = (config: object) => ask(as('admin'), config);
    t.match(await unsaved({ path: 'crm.db' }), { status: 200, body: { ok: true } });
    t.match(await unsaved({ path: '../outside.db' }), { status: 200, body: { ok: false } });
    t.match(await unsaved({ pth: 'crm.db' }), { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.equal((await store.read.selectFrom('connectors').select('id').execute()).length, 4, 'nothing is saved');
    t.match(await ask(editor, { path: 'crm.db' }), { status: 403 }, 'it needs what saving needs');
    const statuses: number[] = [];
    for (let asked = 0; asked < 30; asked++) statuses.push((await unsaved({ pth: 'crm.db' })).status);
    t.same(statuses, [...Array(27).fill(400), 429, 429, 429], '30 a minute, with the three above');
    t.match(await editor.post(`${crm}/test`), { status: 200 }, 'saved ones are not counted');
  });

  await t.test('introspection lists resources, or the columns of one', async (t) => {
    const all = await editor.post(`${crm}/introspect`, {});
    t.same(all.body, {
      resources: [{ name: 'contacts', type: 'table' }],
      next_cursor: null,
      fallback: false,
    });
    t.same((await editor.post(`${crm}/introspect`)).body, all.body, 'the body may be left out');
    const one = await editor.post(`${crm}/introspect`, {
      resource: 'contacts',
      limit: 10,
      refresh: true,
      surface: 'all',
    });
    t.same(one.body, {
      columns: [
        { name: 'id', type: 'integer', nullable: false },
        { name: 'email', type: 'string', nullable: false },
        { name: 'age', type: 'integer', nullable: true },
      ],
    });
    writeFileSync(join(folder, 'pipes.csv'), 'a|b,c\n1|2,3\n');
    const columns = async (options: object) => {
      const answer = await editor.post<{ columns: { name: string }[] }>(`${files}/introspect`, {
        resource: 'pipes.csv',
        ...options,
      });
      return answer.body.columns.map((column) => column.name);
    };
    t.same(await columns({ delimiter: '|' }), ['a', 'b,c']);
    t.same(await columns({ separator: ',' }), ['a|b', 'c']);
    t.same(await columns({ delimiter: 'tab' }), ['a|b,c']);
  });

  await t.test('a failed introspection is a 500 with CONNECTOR_ERROR', async (t) => {
    const wrong = await editor.post(`${broken}/introspect`, {});
    t.match(wrong, { status: 500, body: { error: 'CONNECTOR_ERROR', message: String } });
    t.notMatch(wrong.text, folder);
    for (const path of [`${crm}/introspect`, `${crm}/explore`])
      t.match(await editor.post(path, { resource: 'nope' }), {
        status: 404,
        body: { error: 'NOT_FOUND', message: 'There is no table "nope"' },
      });
    t.match(await editor.post(`${files}/introspect`, { resource: 'none.csv' }), {
      status: 404,
      body: { message: `The file "none.csv" does not exist in this connector's folder` },
    });
    t.match(await editor.post(`${crm}/introspect`, { nope: 1 }), { status: 400 });
    t.match(await editor.post('/api/connectors/99/introspect', {}), { status: 404 });
  });

  await t.test('the explorer pages through rows', async (t) => {
    const request = {
      resource: 'contacts',
      columns: ['id', 'email'],
      filter: { age: { gte: 18 } },
      sort: ['-id'],
      limit: 1,
    };
    const first = await editor.post<{ rows: object[]; next_cursor: string }>(`${crm}/explore`, request);
    t.match(first.headers['content-type'], /^application\/json/);
    t.match(first.body, {
      rows: [{ id: 3, email: 'eve@x.org' }],
      columns: [{ name: 'id' }, { name: 'email' }],
    });
    const second = await editor.post(`${crm}/explore`, { ...request, cursor: first.body.next_cursor });
    t.match(second.body, { rows: [{ id: 1 }] });
    const foreign = { ...request, sort: ['id'], cursor: first.body.next_cursor };
    t.match(await editor.post(`${crm}/explore`, foreign), {
      status: 400,
      body: { error: 'VALIDATION_ERROR', message: /^The cursor belongs to another query/ },
    });
    const search = { text: 'BOB', columns: ['email', 'age'] };
    const found = await editor.post(`${crm}/explore`, { resource: 'contacts', columns: ['id'], search });
    t.match(found.body, { rows: [{ id: 2 }], next_cursor: null });
    const many = { ...search, columns: Array(51).fill('id') };
    const long = { ...search, text: 'x'.repeat(201) };
    const wrong = [
      { text: 'x' },
      { ...search, text: '' },
      { ...search, columns: [] },
      { ...search, case: 1 },
    ];
    for (const unfit of [...wrong, many, long]) {
      t.match(await editor.post(`${crm}/explore`, { resource: 'contacts', search: unfit }), { status: 400 });
    }
    t.match(await editor.post(`${failing}/explore`, { resource: 'rows' }), {
      status: 502,
      body: { error: 'CONNECTOR_ERROR', message: 'The other side is down' },
    });
    t.match(await editor.post(`${crm}/explore`, { resource: 'contacts', limit: 1_001 }), { status: 400 });
  });

  await t.test('a connector that never answers ends with the time', async (t) => {
    const hanging = await save('hanging', 'dummy', { hang: true });
    const impatient = (await createConnectorsApp(t, store, pool, 400)).as('editor');
    t.match(await impatient.post(`${hanging}/test`), { status: 200, body: { ok: false, message: String } });
    const explored = await impatient.post(`${hanging}/explore`, { resource: 'rows' });
    t.match(explored, { status: 502, body: { error: 'CONNECTOR_ERROR' } });
  });

  await t.test('a connector without an integration has no OAuth app', async (t) => {
    const answer = await as('viewer').get(`${crm}/oauth-app`);
    t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR', message: /"sqlite"/ } });
    t.equal((await as('viewer').get('/api/connectors/99/oauth-app')).status, 404);
    const put = { client_id: 'a', client_secret: 'b' };
    t.match(await as('admin').put(`${crm}/oauth-app`, put), { status: 400, body: { message: /"sqlite"/ } });
    t.equal((await as('admin').put('/api/connectors/99/oauth-app', put)).status, 404);
  });

  await t.test('only editors ask', async (t) => {
    for (const call of ['test', 'introspect', 'explore']) {
      t.equal((await as('operator').post(`${crm}/${call}`, { resource: 'contacts' })).status, 403, call);
    }
    t.match(app.swagger().paths, { '/api/connectors/{id}/introspect': { post: { responses: { 500: {} } } } });
  });
});
