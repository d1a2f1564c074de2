// Long list: it tries every combination of many; quick: test/commands/store-commands.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SEALED_COLUMNS } from '../../src/app/keys/sealed-columns.ts';
import { openCipher } from '../../src/app/keys/server-keys.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createConnectors } from '../../src/modules/connectors/connector-service.ts';
import { openSettings } from '../../src/modules/metrics/metrics-config.ts';
import { selectMetricsConfig } from '../../src/modules/metrics/metrics-config-store.ts';
import { openChannelSecret } from '../../src/modules/notifications/channel-secret.ts';
import { createServerConfigs } from '../../src/modules/server/server-config-service.ts';
import { signingSecrets } from '../../src/modules/webhooks/webhook-secret.ts';
import { selectReceiver, selectWebhook } from '../../src/modules/webhooks/webhook-store.ts';
import { allDrivers } from '../support/all-drivers.ts';
import { startFullApp } from '../support/full-app.ts';
import { runCli } from '../support/run-cli.ts';
import { STORE_KINDS, type StoreKind, storeSettings } from '../support/stores.ts';
import { PASSWORD, signIn, type Visitor } from '../support/visitor.ts';

const OLD_KEY = 'e1f04c7ab03d58e2f61c7d90ab34ef99';
const NEW_KEY = '77aa4c7ab03d58e2f61c7d90ab34e0b2';
const CONNECTOR_URL = 'postgres://u:hidden-password@127.0.0.1:1/x';
const METRICS_KEY = 'a key of the metrics';
const CHANNEL_URL = 'https://hooks.example.com/services/T0/B0/s3cret';
const AI_KEY = 'sk-live-5f2e8a1c9d';
const SRC = join(import.meta.dirname, '../../src');

/** What encrypts, and the columns in which it goes. */
const ENCRYPTS: Readonly<Record<string, string | readonly string[] | null>> = {
  'modules/auth/totp-secrets.ts': 'users.totp_secret_encrypted',
  'modules/definitions/sealed-config.ts': ['connectors.secrets_json', 'metrics_configs.secrets_json'],
  'modules/share-links/share-service.ts': 'dashboards.share_token_encrypted',
  'modules/server/server-config-values.ts': 'server_config.value_json',
  'modules/webhooks/webhook-secret.ts': 'webhooks.secrets_json',
  'modules/notifications/channel-secret.ts': 'webhooks.secrets_json',
  'app/keys/server-keys.ts': 'secrets.value',
  // Cookies: the password is asked for again where one does not open any more, and a device is known again after a sign-in.
  'modules/share-links/share-lock.ts': null,
  'modules/auth/known-devices.ts': null,
  // The rotation itself.
  'app/keys/key-rotation.ts': null,
};

t.test('every file that encrypts is one whose secrets are rotated', async (t) => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const found = files.filter((file) => /\.encrypt\(/.test(readFileSync(join(SRC, file), 'utf8')));
  t.same(found.sort(), Object.keys(ENCRYPTS).sort(), 'a new one goes into SEALED_COLUMNS and the test below');
  const columns = new Set(Object.values(ENCRYPTS).flatMap((column) => column ?? []));
  t.same([...columns].sort(), SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort());
});

/** A secret through every service that encrypts one; what the services should give again. */
async function plantAll(visitor: Visitor) {
  const made = async <T>(path: string, body: object): Promise<T> => {
    const answer = await visitor.post<T>(path, body);
    if (answer.status > 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const connector = await made<{ id: number }>('/api/connectors', {
    name: 'db',
    type: 'postgres',
    config: { url: CONNECTOR_URL },
  });
  const metrics = await made<{ id: number }>('/api/metrics/config', {
    backend: 'http',
    config: { url: 'https://metrics.example.com', key: METRICS_KEY },
  });
  const webhook = await made<{ id: number; secret: string }>('/api/webhooks', {
    name: 'on call',
    url: 'https://alerts.example.com/hook',
    events: ['run.failing'],
  });
  const rotation = { overlap_seconds: 86_400 };
  const issued = await made<{ secret: string }>(`/api/webhooks/${webhook.id}/rotate-secret`, rotation);
  const channel = await made<{ id: number }>('/api/notifications/channels', {
    kind: 'slack',
    name: 'the team',
    events: ['run.failing'],
    url: CHANNEL_URL,
  });
  const config = await visitor.put('/api/server/config', { settings: { 'ai.api_key': AI_KEY } });
  if (config.status !== 200) throw new Error(config.text);
  await made('/api/tasks', {
    yaml_content: 'name: say\nsteps: [{ id: say, kind: log, message: hi }]\n',
  });
  const template = await made<{ id: number }>('/api/job-templates', {
    name: 't',
    yaml_content: 'name: t\ntasks: { a: { task: say } }\n',
  });
  await made(`/api/job-templates/${template.id}/dashboard-templates`, {
    name: 'Board',
    yaml_content: 'title: Sales\nwidgets: [{ id: h, type: heading, text: Hi }]\n',
  });
  await made(`/api/job-templates/${template.id}/jobs`, { name: 'j', connector_mapping: {} });
  const boards = await visitor.get<{ result: { id: number }[] }>('/api/dashboards');
  const share = `/api/dashboards/${boards.body.result[0]?.id}/share`;
  const { share_token } = await made<{ share_token: string }>(share, {});
  return {
    connectorId: connector.id,
    metricsId: metrics.id,
    channelId: channel.id,
    webhook: { id: webhook.id, secrets: [issued.secret, webhook.secret] },
    share: { path: share, token: share_token },
  };
}

async function stateOf(t: Test, kind: StoreKind): Promise<Record<string, string>> {
  const settings = await storeSettings(t, kind);
  return settings.kind === 'localdb' ? { SVC_STATE_PATH: settings.path } : { SVC_STATE_URL: settings.url };
}

for (const kind of STORE_KINDS) {
  t.test(`${kind}: after rotate-keys every service opens its secrets without the old key`, async (t) => {
    const state = await stateOf(t, kind);
    const before = await startFullApp(t, kind, { ...state, SVC_ENCRYPTION_KEY: OLD_KEY });
    const { visitor, email, enrolment } = await before.superadmin();
    const planted = await plantAll(visitor);
    await before.plane.stop();

    const keys = { SVC_ENCRYPTION_KEY: NEW_KEY, SVC_PREVIOUS_ENCRYPTION_KEYS: OLD_KEY };
    const rotate = () =>
      runCli(['rotate-keys', '--json'], { cwd: t.testdir({}), env: { ...state, ...keys } });
    const first = await rotate();
    t.equal(first.code, 0, first.stderr);
    const { columns } = JSON.parse(first.stdout);
    t.same(
      columns.map((column: Record<string, unknown>) => [column['table'], column['rotated'], column['left']]),
      SEALED_COLUMNS.map(({ table }) => [table, table === 'webhooks' ? 2 : 1, 0]),
      'each column had a secret, and has it still',
    );
    for (const { rotated } of JSON.parse((await rotate()).stdout).columns) t.equal(rotated, 0);

    const after = await startFullApp(t, kind, { ...state, SVC_ENCRYPTION_KEY: NEW_KEY });
    const { store } = after.plane;
    const cipher = await openCipher(store, [NEW_KEY], 1);
    const deps = { store, clock: systemClock, cipher };
    after.clock.advance(120_000);
    const again = after.visitor();
    await signIn(again, email, PASSWORD, enrolment.secret, after.clock);
    const connectors = createConnectors({ ...deps, drivers: allDrivers });
    t.match((await connectors.connectorRef(planted.connectorId)).config, { url: CONNECTOR_URL });
    const metrics = await selectMetricsConfig(store.read, planted.metricsId);
    t.match(metrics && openSettings(cipher, metrics).config, { key: METRICS_KEY });
    const webhook = await selectWebhook(store.read, planted.webhook.id);
    t.same(webhook && signingSecrets(cipher, webhook, after.clock.now()), planted.webhook.secrets);
    const channel = await selectReceiver(store.read, planted.channelId);
    t.equal(channel && openChannelSecret(cipher, channel, 'url'), CHANNEL_URL);
    t.equal(await createServerConfigs({ ...deps, given: {} }).value('ai.api_key'), AI_KEY);
    t.match(await again.get(planted.share.path), { body: { share_token: planted.share.token } });
    const rotated = await again.post(`/api/webhooks/${planted.webhook.id}/rotate-secret`, {});
    t.equal(rotated.status, 200, rotated.text);
  });
}

for (const kind of STORE_KINDS) {
  t.test(
    `${kind}: secrets of a master key that is lost are discarded, and the server starts again`,
    async (t) => {
      const state = await stateOf(t, kind);
      const before = await startFullApp(t, kind, { ...state, SVC_ENCRYPTION_KEY: OLD_KEY });
      const { visitor, email } = await before.superadmin();
      const planted = await plantAll(visitor);
      const env = { ...state, SVC_ENCRYPTION_KEY: NEW_KEY };
      const discard = (...args: readonly string[]) =>
        runCli(['rotate-keys', '--json', ...args], { cwd: t.testdir({}), env });
      t.match(await discard('--discard-unreadable'), { code: 1, stderr: /stop all servers/ });
      await before.plane.stop();
      t.match(await discard(), { code: 78, stderr: /SVC_ENCRYPTION_KEY is not the key/ }, 'never by itself');
      t.match(await discard('--discard-unreadable'), { code: 2, stderr: /pass --yes/ }, 'never unasked');
      const done = await discard('--discard-unreadable', '--yes');
      t.equal(done.code, 0, done.stderr);
      t.same(
        JSON.parse(done.stdout).columns.map((column: Record<string, unknown>) => [
          column['table'],
          column['discarded'],
        ]),
        SEALED_COLUMNS.map(({ table }) => [table, table === 'webhooks' ? 2 : 1]),
      );

      const after = await startFullApp(t, kind, env);
      const again = after.visitor();
      const asked = await again.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
        email,
        password: PASSWORD,
      });
      await signIn(again, email, PASSWORD, asked.body.totp_enrolment.secret, after.clock);
      const connector = await again.get(`/api/connectors/${planted.connectorId}`);
      t.match(connector, { status: 200, body: { config: { url: undefined } } });
      t.equal((await again.get<{ share_token: string | null }>(planted.share.path)).status, 404);
      t.match(await again.post(`/api/webhooks/${planted.webhook.id}/rotate-secret`, {}), { status: 200 });
      t.match(await again.get('/api/server/config'), {
        body: { settings: { 'ai.api_key': { value: null } } },
      });
    },
  );
}
