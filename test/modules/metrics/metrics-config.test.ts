import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { defaultLocaldbPath } from '../../../src/modules/metrics/localdb-path.ts';
import { toInjected, toMetricsConfig } from '../../../src/modules/metrics/metrics-config.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { createMetricsApp } from './metrics-app.ts';

interface Config {
  id: number;
  [key: string]: unknown;
}
interface Refusal {
  error: string;
  message: string;
  details: { path: string; message: string }[];
}

const URL = '/api/metrics/config';

await eachStore(t, 'backends are listed, added, changed and removed', async (t, store) => {
  const folder = t.testdir();
  const { as } = await createMetricsApp(t, store, folder);
  const admin = as('admin');
  t.same((await as('viewer').get(URL)).body, { result: [], next_cursor: null });
  const made = await admin.post<Config>(URL, { backend: 'localdb' });
  t.match(made, { status: 201, headers: { etag: '"1"' } });
  t.match(made.body, { name: 'localdb', backend: 'localdb', enabled: true, version: 1 });
  t.same(made.body['config'], { path: './metrics.db', retention_days: 90 });
  t.ok(existsSync(join(folder, 'metrics.db')));
  const path = `${URL}/${made.body.id}`;
  t.same((await as('viewer').get(path)).body, made.body);
  const changed = await admin.put<Config>(path, {
    name: 'mine',
    config: { path: 'other.db', retention_days: 7 },
  });
  t.match(changed, { status: 200, body: { name: 'mine', backend: 'localdb', version: 2 } });
  t.match((await admin.put(path, { enabled: false })).body, {
    enabled: false,
    version: 3,
    config: { path: 'other.db', retention_days: 7 },
  });
  t.equal((await admin.put(path, { enabled: false })).body['version'], 3, 'the same again is no new version');
  t.match((await admin.put(path, { backend: 'noop' })).body, { backend: 'noop', config: {}, version: 4 });
  t.match(await admin.put(path, { enabled: true }, { 'if-match': '"1"' }), { status: 412 });
  t.match(await admin.delete(path, { 'if-match': '"1"' }), { status: 412 });
  t.equal((await admin.delete(path)).status, 204);
  t.match(await admin.delete(path), { status: 404, body: { error: 'NOT_FOUND' } });
  t.match(await admin.put(path, { enabled: true }), { status: 404 });
  t.match(await admin.get(path), { status: 404 });
  const actions = await store.read.selectFrom('audit_logs').select('action').orderBy('id').execute();
  t.same(
    actions.map(({ action }) => action.split('.')[1]),
    ['create', 'update', 'update', 'update', 'delete'],
  );
});

t.test('writes need the role admin', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as, withKey, anonymous } = await createMetricsApp(t, store, t.testdir());
  const body = { backend: 'noop' };
  for (const role of ['viewer', 'operator', 'editor'] as const)
    t.match(await as(role).post(URL, body), { status: 403, body: { error: 'FORBIDDEN' } }, role);
  t.equal((await withKey('admin', 'metrics:read').post(URL, body)).status, 403);
  t.equal((await anonymous.post(URL, body)).status, 401);
  t.equal((await anonymous.get(URL)).status, 401);
  t.equal((await as('editor').delete(`${URL}/1`)).status, 403);
  t.equal((await as('editor').put(`${URL}/1`, body)).status, 403);
  t.equal((await as('superadmin').post(URL, body)).status, 201);
});

t.test('a configuration is checked by its backend, all problems at once', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as } = await createMetricsApp(t, store, t.testdir());
  const refused = async (body: object) => {
    const answer = await as('admin').post<Refusal>(URL, body);
    t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR' } }, JSON.stringify(body));
    return answer.body.details.map(({ path }) => path);
  };
  const local = (config: object) => refused({ backend: 'localdb', config });
  t.same(await local({ path: 1, retention_days: 0, keep: true }), [
    'config.path',
    'config.retention_days',
    'config.keep',
  ]);
  t.same(await refused({ backend: 'noop', config: { path: 'x' } }), ['config.path']);
  const later = [
    { backend: 'statsd', config: { host: 'localhost', port: 8125, prefix: 'x.' } },
    { backend: 'http', config: { url: 'https://other.example.com/' } },
    { backend: 'serverdb', config: { url: 'postgres://u:pl4nted-s3cret@db/m' } },
  ];
  for (const body of later) t.same(await refused(body), ['backend']);
  const answer = await as('admin').post<Refusal>(URL, later[0]);
  t.match(answer.body.message, 'The metrics backend "statsd" is not supported by this version');
  t.same(await refused({ backend: 'statsd', config: { port: 0 } }), ['backend', 'config.port']);
  t.match(await as('admin').post(URL, { backend: 'graphite' }), { status: 400 });
});

t.test('a path stays in the folder for metrics, and off other files', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const folder = t.testdir({ metrics: { sub: {} } });
  const crm = new DatabaseSync(join(folder, 'metrics/crm.db'));
  crm.exec('create table contacts (id integer)');
  crm.close();
  const { as } = await createMetricsApp(t, store, join(folder, 'metrics'));
  const post = (path: string) => as('admin').post<Refusal>(URL, { backend: 'localdb', config: { path } });
  const bad = [
    '../x.db',
    '/etc/x.db',
    '.',
    '',
    'state.db',
    './sub/../state.db',
    'crm.db',
    'x.db-wal',
    'sub',
    'a\0b',
  ];
  for (const path of bad) {
    const answer = await post(path);
    t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR' } }, JSON.stringify(path));
    t.notMatch(answer.text, folder, 'no path of the machine');
  }
  t.notOk(existsSync(join(folder, 'x.db')));
  for (const path of ['./a.db', 'sub/b.db', join(folder, 'metrics', 'c.db')])
    t.equal((await post(path)).status, 201, path);
  t.equal(defaultLocaldbPath({ path: '/data/numbers.db', reserved: [] }), './numbers.db');
});

await eachStore(t, 'a new server gets one default backend; a deleted one stays away', async (t, store) => {
  const { as, configs } = await createMetricsApp(t, store, t.testdir());
  t.equal(await configs.ensureDefault({ path: './metrics.db', enabled: true }), true);
  t.equal(await configs.ensureDefault({ path: './metrics.db', enabled: true }), false);
  const { body } = await as('viewer').get<{ result: Config[] }>(URL);
  t.equal(body.result.length, 1);
  t.match(body.result[0], {
    name: 'default',
    backend: 'localdb',
    enabled: true,
    config: { path: './metrics.db' },
  });
  t.equal((await as('admin').delete(`${URL}/${body.result[0]?.id}`)).status, 204);
  t.equal(await configs.ensureDefault({ path: './metrics.db', enabled: true }), false);
});

t.test('secrets are masked for people and left out for runs', async (t) => {
  const row = {
    id: 1,
    name: 'central',
    backend: 'serverdb',
    config_json: '{"url":"postgres://u:pl4nted-s3cret@db/m"}',
    enabled: 1,
    version: 1,
    created_at: 0,
    updated_at: 0,
  };
  t.same(toMetricsConfig(row).config, { url: '********' });
  t.same(toInjected(row), { backend: 'serverdb', config: {} });
});
