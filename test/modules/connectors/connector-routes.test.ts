import t from 'tap';
import type { ConnectorRecord } from '../../../src/modules/connectors/connector.ts';
import type { Store } from '../../../src/store/store.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { auditOf, createConnectorsApp, type Problems, warehouse } from './connectors-app.ts';

const dummy = { name: 'scripted', type: 'dummy', config: {} };

t.test('a saved connector', async (t) => {
  await eachStore(t, 'is created, read, listed, replaced and deleted', async (t, store) => {
    const { as } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const created = await admin.post<ConnectorRecord>('/api/connectors', {
      ...warehouse,
      description: 'DWH',
    });
    t.equal(created.status, 201);
    t.equal(created.headers['etag'], '"1"');
    t.match(created.body, {
      ...warehouse,
      description: 'DWH',
      config: { ...warehouse.config, password: '********' },
      version: 1,
      created_at: '2026-01-15T12:00:00.000Z',
      updated_by: 'admin@example.com',
    });
    const path = `/api/connectors/${created.body.id}`;
    const viewer = as('viewer');
    t.same((await viewer.get(path)).body, created.body);
    t.equal((await viewer.get(path)).headers['etag'], '"1"');

    const config = { ...created.body.config, schema: 'mart' };
    const changed = await admin.put<ConnectorRecord>(path, { ...warehouse, config });
    t.match(changed, { status: 200, headers: { etag: '"2"' }, body: { version: 2, description: null } });
    t.equal(changed.body.config['schema'], 'mart');

    await admin.post('/api/connectors', dummy);
    const list = async (query: string) =>
      (await viewer.get<{ result: ConnectorRecord[]; next_cursor: string | null }>(`/api/connectors${query}`))
        .body;
    t.same(
      (await list('')).result.map((c) => c.name),
      ['scripted', 'warehouse'],
      'newest first',
    );
    t.same(
      (await list('?type=postgres')).result.map((c) => c.name),
      ['warehouse'],
    );
    t.same(
      (await list('?q=WARE')).result.map((c) => c.name),
      ['warehouse'],
    );
    t.same((await list('?q=%25')).result, [], 'a wildcard of the engine is a plain character');
    const first = await list('?limit=1');
    t.same(
      (await list(`?limit=1&cursor=${first.next_cursor}`)).result.map((c) => c.name),
      ['warehouse'],
    );

    t.equal((await admin.delete(path)).status, 204);
    t.match(await viewer.get(path), { status: 404, body: { error: 'NOT_FOUND' } });
    t.equal((await admin.delete(path)).status, 404);
    t.equal((await admin.put(path, warehouse)).status, 404);
  });

  await eachStore(t, 'has a version per change, and none for the same content', async (t, store) => {
    const { as } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const { body } = await admin.post<ConnectorRecord>('/api/connectors', warehouse);
    const path = `/api/connectors/${body.id}`;
    const same = await admin.put(path, { ...warehouse, config: body.config });
    t.match(same, { status: 200, body: { version: 1 } });
    t.match(await admin.put(path, warehouse), { body: { version: 1 } }, 'nor for the same secret in clear');
    t.equal((await auditOf(store)).length, 1);
    const rotated = { ...warehouse, config: { ...warehouse.config, password: 'another' } };
    t.match(await admin.put(path, rotated, { 'if-match': '"1"' }), { body: { version: 2 } });
    t.match(await admin.put(path, warehouse, { 'if-match': '"1"' }), { status: 412 });
    t.match(await admin.delete(path, { 'if-match': '"1"' }), { status: 412 });
    t.match(await admin.delete(path, { 'if-match': '"2"' }), { status: 204 });
  });

  await eachStore(t, 'has a name of its own', async (t, store) => {
    const { as } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const answers = await Promise.all([1, 2, 3, 4].map(() => admin.post('/api/connectors', dummy)));
    t.same(answers.map((answer) => answer.status).sort(), [201, 409, 409, 409]);
    const other = await admin.post<ConnectorRecord>('/api/connectors', { ...dummy, name: 'other' });
    const renamed = await admin.put(`/api/connectors/${other.body.id}`, dummy);
    t.match(renamed, { status: 409, body: { error: 'CONFLICT', message: /"scripted"/ } });
  });

  await eachStore(t, 'is not deleted while a job binds it', async (t, store) => {
    const { as } = await createConnectorsApp(t, store);
    const admin = as('admin');
    const made = await admin.post<ConnectorRecord>('/api/connectors', dummy);
    const { id } = made.body;
    const templateId = await insertTemplate(store);
    await insertJob(store, templateId, 'unrelated', { crm: Number(`${id}0`), count: 999 });
    await insertJob(store, templateId, 'nightly', { crm: id });
    const refused = await admin.delete(`/api/connectors/${id}`);
    t.match(refused, { status: 409, body: { error: 'CONFLICT', message: /"nightly"/ } });
    t.notMatch(refused.text, /unrelated/);
    const uses = await as('viewer').get(`/api/connectors/${id}/jobs`);
    const use = { name: 'nightly', status: 'active', bound_as: ['crm'], last_run: null };
    t.match(uses, { status: 200, body: { result: [use] } });
    t.equal((await admin.get('/api/connectors/999/jobs')).status, 404);
    await store.write((tx) => tx.deleteFrom('jobs').where('name', '=', 'nightly').execute());
    t.equal((await admin.delete(`/api/connectors/${id}`)).status, 204);
  });
});

t.test('a configuration is checked whole, every problem with its path', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as } = await createConnectorsApp(t, store);
  const admin = as('admin');
  const problemsOf = async (body: object) => {
    const answer = await admin.post<Problems>('/api/connectors', body);
    t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    return answer.body.details.map(({ path, message }) => `${path}: ${message}`);
  };
  const config = {
    hots: 'x',
    host: 'y',
    port: 'z',
    password: reference('env:HOME'),
    ca: reference('file:/etc/passwd'),
  };
  const problems = await problemsOf({ ...warehouse, config });
  t.match(problems, [
    /^config\.password: .*\$\{env:HOME\}.* not allow/,
    /^config\.ca: .*\$\{file:\/etc\/passwd\}/,
    /^config\.port: "config\.port" must be a number$/,
    /^config\.hots: Unknown key "hots".*did you mean "host"\?/,
  ]);
  t.match(await problemsOf({ ...dummy, config: { generate: { count: -1, columns: [] } } }), [
    /^config\.generate\.count: /,
    /^config\.generate\.columns: /,
  ]);
  t.match(await problemsOf({ ...dummy, config: { rows: [{ a: [reference('env:X')] }] } }), [
    /^config\.rows\[0\]\.a\[0\]: /,
  ]);
  t.match(await problemsOf({ ...dummy, type: 'postgress' }), [/^type: .*did you mean "postgres"\?/]);
  t.match(await problemsOf({ ...dummy, type: '__proto__' }), [/^type: /]);
  t.match(await problemsOf({ ...dummy, extra: 1 }), [/Unknown key "extra"/]);
  t.match(await problemsOf({ ...dummy, config: { message: 'x'.repeat(1_100_000) } }), [
    /^config: .* longer than/,
  ]);

  const { body } = await admin.post<ConnectorRecord>('/api/connectors', dummy);
  const retyped = await admin.put<Problems>(`/api/connectors/${body.id}`, {
    ...dummy,
    type: 'sqlite',
    config: { path: 'x' },
  });
  t.match(retyped, {
    status: 400,
    body: { details: [{ path: 'type', message: /cannot change: .*"dummy"/ }] },
  });
});

t.test('viewers read, admins write, API keys need the scope', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as, withKey, anonymous, app } = await createConnectorsApp(t, store);
  t.equal((await anonymous.get('/api/connectors')).status, 401);
  t.match(await as('editor').post('/api/connectors', dummy), { status: 403, body: { message: /"admin"/ } });
  t.equal((await withKey('admin', 'connectors:read').post('/api/connectors', dummy)).status, 403);
  t.equal((await withKey('admin', 'connectors:write').post('/api/connectors', dummy)).status, 201);
  t.equal((await withKey('viewer', 'tasks:read').get('/api/connectors')).status, 403);
  t.equal((await as('viewer').get('/api/connectors/1')).status, 200);
  t.equal((await as('operator').delete('/api/connectors/1')).status, 403);

  const types = await as('viewer').get<{ result: { type: string; secrets: string[]; config: object }[] }>(
    '/api/connectors/types',
  );
  t.match(
    types.body.result.find((type) => type.type === 'postgres'),
    {
      secrets: ['password', 'url'],
      config: { properties: { password: { writeOnly: true } } },
      methods: [{ read_only: true, args: { type: 'object' } }],
    },
  );
  const document = app.swagger() as { paths: object; components: { schemas: object } };
  t.match(document.paths, { '/api/connectors/{id}': { put: { operationId: 'updateConnector' } } });
});

function reference(to: string): string {
  return `\${${to}}`;
}

async function insertTemplate(store: Store): Promise<number> {
  const row = {
    name: 't',
    yaml_content: '',
    parsed_json: '{}',
    status: 'active',
    version: 1,
    created_at: 1,
    updated_at: 1,
  };
  const { id } = await store.write((tx) =>
    tx.insertInto('job_templates').values(row).returning('id').executeTakeFirstOrThrow(),
  );
  return id;
}

async function insertJob(store: Store, templateId: number, name: string, mapping: object): Promise<void> {
  const row = {
    job_template_id: templateId,
    template_version: 1,
    name,
    yaml_content: '',
    parsed_json: '{}',
    connector_mapping_json: JSON.stringify(mapping),
    config_json: '{}',
    config_version: 1,
    status: 'active',
    version: 1,
    created_at: 1,
    updated_at: 1,
  };
  await store.write((tx) => tx.insertInto('jobs').values(row).execute());
}
