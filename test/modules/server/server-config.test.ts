import t, { type Test } from 'tap';
import { createCipher } from '../../../src/base/cipher.ts';
import { loadConfig } from '../../../src/config.ts';
import { givenSettings } from '../../../src/modules/server/given-settings.ts';
import { registerServerConfigRoutes } from '../../../src/modules/server/server-config-routes.ts';
import {
  createServerConfigs,
  type ServerConfigs,
} from '../../../src/modules/server/server-config-service.ts';
import { SETTING_KEYS } from '../../../src/modules/server/server-setting.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { createTestClock } from '../../support/clock.ts';
import { eachStore } from '../../support/stores.ts';

const PATH = '/api/server/config';
const KEY = 'sk-live-5f2e8a1c9d';
const MASK = '********';

type Shown = { value: unknown; source: string; locked: boolean; default: unknown; secret: boolean };
type Body = { settings: Record<string, Shown> };
type Refused = { error: string; message: string; details: { path: string; message: string }[] };

async function configApp(t: Test, store: Store, env: Readonly<Record<string, string>> = {}) {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', ...env });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  const given = givenSettings(loaded.config);
  const made: { configs: ServerConfigs | null } = { configs: null };
  const app = await createTestApp(t, (http, { clock, cipher }) => {
    made.configs = createServerConfigs({ store, clock, cipher, given });
    registerServerConfigRoutes(http, { serverConfigs: made.configs });
  });
  if (made.configs === null) throw new Error('no service');
  const put = (settings: object, headers?: Record<string, string>) =>
    app.as('superadmin').put<Body & Refused>(PATH, { settings }, headers);
  const get = () => app.as('superadmin').get<Body>(PATH);
  return { ...app, configs: made.configs, put, get };
}

await eachStore(t, 'a change acts at once, on every server over the store', async (t, store) => {
  const { configs, put, get } = await configApp(t, store);
  const other = (await configApp(t, store)).configs;
  const first = await get();
  t.match(first.headers, { etag: '"0"' });
  t.same(Object.keys(first.body.settings), SETTING_KEYS);
  t.match(first.body.settings, {
    'ai.api_key': { value: null, source: 'default', secret: true, locked: false },
    'retention.log_days': { value: 30, source: 'default', default: 30 },
    public_dashboard_input_enabled: { value: false },
  });
  t.equal(await other.value('public_dashboard_input_enabled'), false);
  const saved = await put({
    'ai.api_key': KEY,
    'ai.model': ' some-model ',
    'ai.max_tokens': 4_096,
    'retention.log_days': 7,
    public_dashboard_input_enabled: true,
  });
  t.match(saved, { status: 200, headers: { etag: '"1"' } });
  t.match(saved.body.settings, {
    'ai.api_key': { value: MASK, source: 'stored' },
    'ai.model': { value: 'some-model', source: 'stored' },
    'ai.timeout_seconds': { value: 120, source: 'default' },
  });
  for (const one of [configs, other]) {
    t.equal(await one.value('public_dashboard_input_enabled'), true);
    t.match(await one.effective(), { 'ai.api_key': KEY, 'ai.model': 'some-model', 'retention.log_days': 7 });
  }
  const reset = await put({ 'retention.log_days': null, 'ai.api_key': null });
  t.match(reset.body.settings, {
    'retention.log_days': { value: 30, source: 'default' },
    'ai.api_key': { value: null, source: 'default' },
  });
  t.match(await other.effective(), {
    'ai.api_key': null,
    'retention.log_days': 30,
    'ai.model': 'some-model',
  });
});

await eachStore(t, 'what was read can be sent back, and is no new version', async (t, store) => {
  const { configs, put, get } = await configApp(t, store);
  await put({ 'ai.api_key': KEY, 'retention.log_days': 7 });
  const read = await get();
  t.match(await put(read.body.settings), { status: 200, headers: { etag: '"1"' } });
  t.match(await put({}), { headers: { etag: '"1"' } });
  t.match(await put({ 'retention.log_days': 7, 'ai.api_key': KEY }), { headers: { etag: '"1"' } });
  t.equal((await get()).body.settings['ai.max_tokens']?.source, 'default', 'a default does not become fixed');
  const edited = structuredClone(read.body.settings);
  (edited['retention.log_days'] as Shown).value = 8;
  t.match(await put(edited, { 'if-match': '"1"' }), { status: 200, headers: { etag: '"2"' } });
  t.match(await put(edited, { 'if-match': '"1"' }), { status: 412, body: { error: 'PRECONDITION_FAILED' } });
  t.match(await configs.effective(), { 'ai.api_key': KEY, 'retention.log_days': 8 });
});

await eachStore(t, 'every problem is told at once, and nothing is stored', async (t, store) => {
  const { put, get } = await configApp(t, store);
  const answer = await put({
    'ai.modle': 'x',
    constructor: 1,
    'ai.api_key': MASK,
    'ai.provider': 'skynet',
    'ai.base_url': 'https://user:pass@host.example/v1',
    'ai.max_tokens': '4096',
    'retention.log_days': -1,
    public_dashboard_input_enabled: 'yes',
    'ai.model': {},
  });
  t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.same(
    answer.body.details.map(({ path }) => path),
    [
      'settings.ai.modle',
      'settings.constructor',
      'settings.ai.api_key',
      'settings.ai.provider',
      'settings.ai.base_url',
      'settings.ai.max_tokens',
      'settings.retention.log_days',
      'settings.public_dashboard_input_enabled',
      'settings.ai.model',
    ],
  );
  t.match(answer.body.details[0]?.message, /did you mean "ai.model"/);
  t.notOk(answer.text.includes('pass@'), 'no value is told back');
  for (const url of ['ftp://host/v1', 'host', 'https://host/v1?key=1', 'https://host/ v1'])
    t.equal((await put({ 'ai.base_url': url })).status, 400, url);
  for (const key of ['', 'two words', 'line\nbreak', 'schlüssel', 'x'.repeat(1_001)])
    t.equal((await put({ 'ai.api_key': key })).status, 400, key.slice(0, 20));
  t.match(await get(), { headers: { etag: '"0"' } });
});

await eachStore(t, 'a stored key is not sent to another address than it was given for', async (t, store) => {
  const { configs, put } = await configApp(t, store);
  await put({ 'ai.api_key': KEY, 'ai.base_url': 'https://one.example/v1' });
  const elsewhere = { 'ai.base_url': 'https://two.example/v1' };
  const refusal = { status: 400, body: { details: [{ path: 'settings.ai.api_key' }] } };
  t.match(await put(elsewhere), refusal);
  t.match(await put({ ...elsewhere, 'ai.api_key': MASK }), refusal);
  t.match(await put({ ...elsewhere, 'ai.api_key': { value: MASK } }), refusal);
  t.match(await put({ 'ai.provider': 'anthropic' }), refusal, 'its address is another one');
  t.match(await put({ 'ai.base_url': null }), refusal);
  t.match(await configs.effective(), { 'ai.base_url': 'https://one.example/v1', 'ai.api_key': KEY });
  t.equal((await put({ ...elsewhere, 'ai.api_key': KEY })).status, 200, 'the same key, given again');
  t.equal((await put({ 'ai.base_url': null, 'ai.api_key': null })).status, 200, 'or none');
  t.equal((await put({ 'ai.base_url': 'http://127.0.0.1:11434/v1' })).status, 200, 'there is none to send');
});

await eachStore(t, 'what the environment sets wins, and is not changed over the API', async (t, store) => {
  const plain = await configApp(t, store);
  await plain.put({
    'ai.base_url': 'https://own.example/v1',
    'ai.model': 'stored',
    'ai.api_key': 'stored-key',
  });
  const env = {
    SVC_AI_API_KEY: KEY,
    SVC_LOG_RETENTION_DAYS: '3',
    SVC_PUBLIC_DASHBOARD_INPUT_ENABLED: 'true',
  };
  const { configs, put, get } = await configApp(t, store, env);
  const { settings } = (await get()).body;
  t.match(settings, {
    'ai.api_key': { value: MASK, source: 'environment', locked: true },
    'retention.log_days': { value: 3, source: 'environment', locked: true },
    public_dashboard_input_enabled: { value: true, locked: true },
    'ai.model': { value: 'stored', source: 'stored', locked: false },
    'ai.base_url': { value: null, source: 'default', locked: true },
    'ai.provider': { locked: true },
  });
  t.match(
    await configs.effective(),
    { 'ai.api_key': KEY, 'ai.base_url': null },
    'the key of the environment does not follow a stored address',
  );
  t.equal(await configs.value('retention.log_days'), 3);
  for (const key of ['ai.api_key', 'retention.log_days', 'ai.base_url', 'ai.provider']) {
    const value = { 'ai.api_key': 'x', 'retention.log_days': 4, 'ai.base_url': 'https://evil.example/v1' }[
      key
    ];
    const answer = await put({ [key]: value ?? 'anthropic', 'ai.model': 'other' });
    t.match(answer, {
      status: 400,
      body: { details: [{ path: `settings.${key}`, message: /environment/ }] },
    });
  }
  t.match(await put(settings), { status: 200, headers: { etag: '"1"' } }, 'unchanged, it can be sent back');
});

await eachStore(t, 'only a superadmin reads and writes it, and no key is ever told', async (t, store) => {
  const { as, withKey, anonymous, put, cipher } = await configApp(t, store);
  for (const role of ['viewer', 'operator', 'editor', 'admin'] as const) {
    t.equal((await as(role).get(PATH)).status, 403, role);
    t.equal((await as(role).put(PATH, { settings: {} })).status, 403, role);
  }
  t.equal((await anonymous.get(PATH)).status, 401);
  t.equal((await withKey('superadmin', 'server:read').get(PATH)).status, 200);
  t.equal((await withKey('superadmin', 'server:read').put(PATH, { settings: {} })).status, 403);
  t.equal((await as('superadmin').put(PATH, { setings: {} })).status, 400);
  const answers = [
    await put({ 'ai.api_key': KEY, 'ai.max_tokens': 512 }),
    await put({ 'ai.api_key': `${KEY}2` }),
    await as('superadmin').get(PATH),
  ];
  for (const answer of answers) t.notOk(answer.text.includes(KEY));
  const rows = await store.read.selectFrom('server_config').selectAll().execute();
  t.notOk(JSON.stringify(rows).includes(KEY), 'encrypted where it is stored');
  const sealed = (JSON.parse(rows[0]?.value_json ?? '') as { secrets: Record<string, string> }).secrets;
  t.throws(() => cipher.decrypt(sealed['ai.api_key'] ?? '', 'server_config/ai.model'), 'and for its place');
  const audits = await store.read.selectFrom('audit_logs').selectAll().orderBy('id').execute();
  t.notOk(JSON.stringify(audits).includes(KEY));
  t.same(
    audits.map(({ action, diff_json }) => [action, JSON.parse(diff_json ?? '')]),
    [
      [
        'server_config.update',
        {
          settings: [
            { name: 'ai.api_key', before: null, after: MASK },
            { name: 'ai.max_tokens', before: 16_000, after: 512 },
          ],
        },
      ],
      ['server_config.update', { settings: [{ name: 'ai.api_key', before: MASK, after: MASK }] }],
    ],
  );
});

await eachStore(
  t,
  'what another version stored, and this one does not take, is the default',
  async (t, store) => {
    const values = { 'retention.log_days': 'many', 'gone.setting': 1, 'ai.model': 'kept' };
    const row = {
      key: 'settings',
      value_json: JSON.stringify({ values, secrets: {} }),
      version: 4,
      updated_at: 1,
    };
    await store.write((tx) => tx.insertInto('server_config').values(row).execute());
    const clock = createTestClock();
    const configs = createServerConfigs({ store, clock, cipher: createCipher(['x']), given: {} });
    t.match(await configs.effective(), { 'retention.log_days': 30, 'ai.model': 'kept' });
  },
);
