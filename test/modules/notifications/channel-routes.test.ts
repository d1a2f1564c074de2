import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import { registerChannelRoutes } from '../../../src/modules/notifications/channel-routes.ts';
import { registerWebhookRoutes } from '../../../src/modules/webhooks/webhook-routes.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { eachStore } from '../../support/stores.ts';
import { dueAt, openWebhooks, PUBLIC_URL } from '../webhooks/webhook-world.ts';
import { MAIL, openChannels } from './channel-world.ts';

const CHANNELS = '/api/notifications/channels';
const MASK = '********';

interface Channel {
  readonly id: number;
  readonly version: number;
}

async function openApp(t: Test, store: Store) {
  const world = openWebhooks(t, store);
  const { channels, redelivery: channelRedelivery } = openChannels(world);
  const app = await createTestApp(t, (http) => {
    installIdempotency(
      http as unknown as FastifyInstance,
      createIdempotencyStore(store, () => Date.now()),
    );
    registerChannelRoutes(http, { store, channels, channelRedelivery, publicUrl: PUBLIC_URL });
    registerWebhookRoutes(http, { store, webhooks: world.webhooks });
  });
  return { ...app, world };
}

await eachStore(t, 'channels are kept apart from webhooks, and show no secret', async (t, store) => {
  const { as } = await openApp(t, store);
  const admin = as('admin');
  const url = 'https://hooks.example.com/services/T0/B0/s3cret';
  const slack = await admin.post<Channel>(CHANNELS, { kind: 'slack', name: 's', events: '*', url });
  t.equal(slack.status, 201);
  t.match(slack.body, { kind: 'slack', target: 'hooks.example.com', url: MASK, email: null, version: 1 });
  const email = { ...MAIL, security: 'tls', username: 'mailer', password: 'p4ss' };
  const mail = await admin.post<Channel>(CHANNELS, {
    kind: 'email',
    name: 'm',
    events: ['run.failing'],
    email,
  });
  t.equal(mail.status, 201);
  t.match(mail.body, { url: null, email: { username: 'mailer', password: MASK, to: MAIL.to } });
  const listed = await admin.get<{ result: Channel[] }>(`${CHANNELS}?kind=email`);
  t.same(
    listed.body.result.map(({ id }) => id),
    [mail.body.id],
  );
  t.equal((await admin.get(`/api/webhooks/${slack.body.id}`)).status, 404);
  t.same((await admin.get<{ result: unknown[] }>('/api/webhooks')).body.result, []);
  const { secret: _, ...hook } = (
    await admin.post<Channel & { secret: string }>('/api/webhooks', {
      name: 'w',
      url: 'https://hooks.example.com/w',
      events: '*',
    })
  ).body;
  t.equal((await admin.get(`${CHANNELS}/${hook.id}`)).status, 404);
  t.equal((await admin.post(`${CHANNELS}/${hook.id}/test`, {})).status, 404);
  const path = `${CHANNELS}/${mail.body.id}`;
  const same = await admin.put<Channel>(path, { email: { ...email, password: MASK } });
  t.equal(same.body.version, 1, 'the mask keeps the password');
  for (const elsewhere of [{ host: 'mail.evil.example' }, { port: 2525 }, { security: 'starttls' }]) {
    const moved = await admin.put(path, { email: { ...email, ...elsewhere, password: MASK } });
    t.equal(moved.status, 400, 'a stored password goes to no other server');
    t.match(JSON.stringify(moved.body), '"email.password"');
  }
  const named = await admin.put<Channel>(path, { name: 'mail' });
  t.match(named.body, { name: 'mail', version: 2, email: { password: MASK, host: MAIL.host } });
  t.match((await admin.get(path)).body, { name: 'mail' });
  const stored = JSON.stringify(await store.read.selectFrom('webhooks').selectAll().execute());
  const audit = JSON.stringify(await store.read.selectFrom('audit_logs').selectAll().execute());
  for (const text of [stored, audit, JSON.stringify(listed.body)]) t.notMatch(text, /p4ss|s3cret(?!s)/);
  t.match(audit, 'channel.create');
  t.equal((await admin.delete(path)).status, 204);
  t.equal((await admin.get(path)).status, 404);
  t.equal((await as('editor').get(CHANNELS)).status, 403);
  t.equal((await as('editor').post(CHANNELS, { kind: 'slack', name: 's', events: '*', url })).status, 403);
});

await eachStore(t, 'settings that do not fit the kind of channel are refused', async (t, store) => {
  const { as } = await openApp(t, store);
  const admin = as('admin');
  const url = 'https://hooks.example.com/x';
  const bad = [
    [{ kind: 'slack' }, 'url'],
    [{ kind: 'teams', url: MASK }, 'url'],
    [{ kind: 'slack', url: 'http://169.254.169.254/' }, 'url'],
    [{ kind: 'slack', url, email: MAIL }, 'email'],
    [{ kind: 'email' }, 'email'],
    [{ kind: 'email', url, email: MAIL }, 'url'],
    [{ kind: 'email', email: { ...MAIL, host: '169.254.169.254' } }, 'email.host'],
    [{ kind: 'email', email: { ...MAIL, username: 'u' } }, 'email.password'],
    [{ kind: 'email', email: { ...MAIL, username: 'u', password: 'p' } }, 'email.security'],
    [{ kind: 'email', email: { ...MAIL, to: ['a@b.example\r\nBcc: c@d.example'] } }, 'email.to'],
    [{ kind: 'slack', url, job_ids: [99] }, 'job_ids'],
    [{ kind: 'slack', url, template_ids: [99] }, 'template_ids'],
    [{ kind: 'slack', url, labels: [':x'] }, 'labels'],
  ] as const;
  for (const [input, path] of bad) {
    const { status, body } = await admin.post(CHANNELS, { name: 'x', events: '*', ...input });
    t.equal(status, 400, JSON.stringify(input));
    t.match(JSON.stringify(body), `"${path}`);
  }
  t.same((await admin.get<{ result: unknown[] }>(CHANNELS)).body.result, [], 'and change nothing');
});

await eachStore(
  t,
  'a test is sent, its message and answer are shown, and it is sent again',
  async (t, store) => {
    const { as, world } = await openApp(t, store);
    const admin = as('admin');
    const slack = await startReceiver(t);
    slack.answer = (response) => void response.writeHead(404).end('no_service');
    const { body: channel } = await admin.post<Channel>(CHANNELS, {
      kind: 'slack',
      name: 's',
      events: '*',
      url: slack.url,
    });
    const path = `${CHANNELS}/${channel.id}`;
    const { status, body: sent } = await admin.post<Channel>(`${path}/test`, {});
    t.equal(status, 201);
    t.match(sent, { channel_id: channel.id, event: 'webhook.test', status: 'pending' });
    await dueAt(store, sent.id, world.clock.now());
    await world.deliverer().deliverDue();
    const whole = await admin.get(`${path}/deliveries/${sent.id}`);
    t.match(whole.body, {
      title: 'Test of a notification channel',
      link: 'https://headgate.example.com/admin/notifications',
      response_status: 404,
      response_body: 'no_service',
      error: 'It answered 404',
    });
    t.match((await admin.get(`${path}/deliveries?status=pending`)).body, { result: [{ id: sent.id }] });
    slack.answer = (response) => void response.writeHead(200).end('ok');
    t.equal((await admin.post(`${path}/deliveries/${sent.id}/redeliver`, {})).status, 200);
    await dueAt(store, sent.id, world.clock.now());
    await world.deliverer().deliverDue();
    t.match((await admin.get(`${path}/deliveries/${sent.id}`)).body, {
      status: 'delivered',
      response_body: 'ok',
    });
    t.same((await admin.post(`${path}/redeliver`, {})).body, { queued: 0, remaining: 0 });
  },
);
