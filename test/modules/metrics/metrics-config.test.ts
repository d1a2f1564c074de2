import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { defaultLocaldbPath } from '../../../src/modules/metrics/localdb-path.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { outboundOf } from '../../support/outbound.ts';
import { eachStore, openTestStore, storeSettings } from '../../support/stores.ts';
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
  t.same(await refused({ backend: 'statsd', config: { port: 0, tag_format: 'x' } }), [
    'config.port',
    'config.tag_format',
  ]);
  t.same(await refused({ backend: 'http', config: { url: 'ftp://x', key: '********' } }), [
    'config.key',
    'config.url',
  ]);
  t.same(await refused({ backend: 'serverdb', config: { url: 'mysql://x' } }), ['config.url']);
  t.same(await refused({ backend: 'serverdb' }), ['config.url'], 'the state is no database server');
  const secret = 'pl4nted-s3cret';
  const away = { backend: 'serverdb', config: { url: `postgres://u:${secret}@127.0.0.1:9/m` } };
  const answer = await as('admin').post<Refusal>(URL, away);
  t.match(answer, { status: 400, body: { details: [{ path: 'config.url', message: /nothing listens/ }] } });
  t.notMatch(answer.text, /pl4nted|127\.0\.0\.1/);
  t.match(await as('admin').post(URL, { backend: 'graphite' }), { status: 400 });
});

t.test('an address that the outbound policy refuses is no backend', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as } = await createMetricsApp(t, store, t.testdir(), { outbound: outboundOf(t, []) });
  for (const [path, settings] of [
    ['config.url', { backend: 'http', config: { url: 'http://127.0.0.1:9' } }],
    ['config.url', { backend: 'http', config: { url: 'http://169.254.169.254/latest' } }],
    ['config.host', { backend: 'statsd', config: {} }],
    ['config.host', { backend: 'statsd', config: { host: '::1' } }],
    ['config.url', { backend: 'serverdb', config: { url: 'postgres://u:p@127.0.0.1:9/m' } }],
    ['config.url', { backend: 'serverdb', config: { url: 'postgres://u:p@localhost:9/m' } }],
    ['config.url', { backend: 'serverdb', config: { url: 'postgres:///m?host=/var/run/postgresql' } }],
  ] as const) {
    const answer = await as('admin').post<Refusal>(URL, settings);
    t.match(answer, { status: 400, body: { details: [{ path }] } });
    t.match(answer.text, /outbound policy|Only a host and a port/, JSON.stringify(settings));
  }
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
  t.equal(await configs.ensureDefault({ path: './metrics.db', state: 'localdb' }), true);
  t.equal(await configs.ensureDefault({ path: './metrics.db', state: 'localdb' }), false);
  const { body } = await as('viewer').get<{ result: Config[] }>(URL);
  t.equal(body.result.length, 1);
  t.match(body.result[0], {
    name: 'default',
    backend: 'localdb',
    enabled: true,
    config: { path: './metrics.db' },
  });
  t.equal((await as('admin').delete(`${URL}/${body.result[0]?.id}`)).status, 204);
  t.equal(await configs.ensureDefault({ path: './metrics.db', state: 'localdb' }), false);
});

await eachStore(t, 'secrets are encrypted, masked, kept by their mask, and in no audit', async (t, store) => {
  const { as, backends, metrics } = await createMetricsApp(t, store, t.testdir());
  const admin = as('admin');
  const key = 'pl4nted-s3cret';
  const url = 'https://other.example.com/';
  const made = await admin.post<Config>(URL, { backend: 'http', config: { url, key } });
  t.match(made, { status: 201, body: { config: { url, key: '********' } } });
  const path = `${URL}/${made.body.id}`;
  const kept = await admin.put<Config>(path, { name: 'central', config: { url, key: '********' } });
  t.match(kept, { status: 200, body: { version: 2, config: { key: '********' } } });
  const moved = { config: { url: 'https://evil.example.com/', key: '********' } };
  t.match(await admin.put(path, moved), { status: 400, body: { details: [{ path: 'config.key' }] } });
  t.equal((await backends.current()).length, 1, 'the stored key decrypts');
  t.match(await admin.put(path, { config: { url, key: `${key}2` } }), { status: 200, body: { version: 3 } });
  const run = { task_id: null, job_id: null, yaml_content: '' };
  t.same(await metrics.backendsFor(run), [{ backend: 'http', config: { url } }], 'runs are told no secret');
  t.match(await admin.put(path, { config: { url } }), { status: 200, body: { config: { url } } });
  const all = [
    await store.read.selectFrom('metrics_configs').selectAll().execute(),
    await store.read.selectFrom('audit_logs').selectAll().execute(),
    (await admin.get(URL)).text,
  ];
  t.notMatch(JSON.stringify(all), key);
});

t.test('a state in PostgreSQL makes its own database the default, and localdb is off', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  if (settings.kind !== 'serverdb') return;
  const stores = await Promise.all([openStore(settings, silentLogger), openStore(settings, silentLogger)]);
  for (const store of stores) t.teardown(() => store.close());
  const stateUrl = settings.url;
  const apps = [];
  for (const store of stores) apps.push(await createMetricsApp(t, store, t.testdir(), { stateUrl }));
  const given = { path: './metrics.db', state: 'serverdb' } as const;
  const made = await Promise.all(apps.map(({ configs }) => configs.ensureDefault(given)));
  t.same(made.sort(), [false, true], 'two servers that start at once make it once');
  const [one] = apps;
  if (one === undefined) throw new Error('there are two apps');
  const { body } = await one.as('viewer').get<{ result: Config[] }>(URL);
  t.match(body.result, [
    { name: 'default localdb', backend: 'localdb', enabled: false },
    { name: 'default', backend: 'serverdb', enabled: true },
  ]);
  t.same(body.result[1]?.['config'], { retention_days: 90 }, 'its URL is stored nowhere');
  t.ok(await one.metrics.stored());
  t.equal((await one.as('admin').post(URL, { backend: 'serverdb' })).status, 201, 'and can be named again');
});
