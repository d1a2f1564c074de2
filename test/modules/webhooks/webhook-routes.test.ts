import type { FastifyInstance } from 'fastify';
import t, { type Test } from 'tap';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import { registerWebhookDeliveryRoutes } from '../../../src/modules/webhooks/delivery/webhook-delivery-routes.ts';
import { registerWebhookRoutes } from '../../../src/modules/webhooks/webhook-routes.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp } from '../../support/app.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { eachStore } from '../../support/stores.ts';
import { newJob, nodeOf } from '../job-runs/job.ts';
import { deliveryOf, dueAt, openWebhooks, webhookOf } from './webhook-world.ts';

interface Webhook {
  readonly id: number;
  readonly secret: string;
  readonly version: number;
}

const INPUT = { name: 'on call', url: 'https://alerts.example.com/hook?key=k3y', events: ['run.failing'] };

const PAUSED = {
  type: 'trigger.paused',
  data: {
    trigger_id: 1,
    job_id: 1,
    job_name: 'j',
    trigger_name: 't',
    reason: 'r',
    consecutive_failures: 2,
    job_run_id: 5,
  },
} as const;

async function openApp(t: Test, store: Store) {
  const world = openWebhooks(t, store);
  const { webhooks, redelivery: webhookRedelivery } = world;
  const app = await createTestApp(t, (http) => {
    installIdempotency(
      http as unknown as FastifyInstance,
      createIdempotencyStore(store, () => Date.now()),
    );
    registerWebhookRoutes(http, { store, webhooks });
    registerWebhookDeliveryRoutes(http, { store, webhookRedelivery });
  });
  return { ...app, world };
}

await eachStore(t, 'a webhook is created, read, changed and deleted', async (t, store) => {
  const { as } = await openApp(t, store);
  const admin = as('admin');
  const created = await admin.post<Webhook>('/api/webhooks', INPUT);
  t.equal(created.status, 201);
  t.match(created.body, {
    ...INPUT,
    description: null,
    job_ids: null,
    enabled: true,
    version: 1,
    secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
    consecutive_failures: 0,
    disabled_reason: null,
    updated_by: 'admin@example.com',
  });
  const path = `/api/webhooks/${created.body.id}`;
  const read = await admin.get(path);
  t.equal(read.headers['etag'], '"1"');
  t.notOk('secret' in read.body);
  t.same((await admin.get('/api/webhooks')).body, { result: [read.body], next_cursor: null });
  t.same((await admin.get('/api/webhooks?enabled=false')).body, { result: [], next_cursor: null });

  const same = await admin.put(
    path,
    { events: ['run.failing', 'run.failing'], url: INPUT.url },
    { 'if-match': '"1"' },
  );
  t.match(same, { status: 200, body: { version: 1 } }, 'identical content makes no new version');
  const job = await newJob(store, [nodeOf('a')]);
  const changed = await admin.put(path, {
    events: '*',
    job_ids: [job.id, job.id],
    description: 'night shift',
  });
  t.match(changed, { status: 200, body: { version: 2, events: '*', job_ids: [job.id], name: 'on call' } });
  t.equal((await admin.put(path, { name: 'x' }, { 'if-match': '"1"' })).status, 412);
  t.equal((await admin.put(path, { job_ids: null })).body['job_ids'], null);
  t.equal((await admin.delete(path, { 'if-match': '"1"' })).status, 412);
  t.equal((await admin.delete(path)).status, 204);
  t.equal((await admin.get(path)).status, 404);
  const audits = await store.read
    .selectFrom('audit_logs')
    .select(['action', 'diff_json'])
    .orderBy('id')
    .execute();
  t.same(
    audits.map((row) => row.action),
    ['webhook.create', 'webhook.update', 'webhook.update', 'webhook.delete'],
  );
  t.notMatch(JSON.stringify(audits), /k3y/, 'of the URL its origin alone');
});

await eachStore(t, 'what is wrong is refused, with its place', async (t, store) => {
  const { as } = await openApp(t, store);
  const admin = as('admin');
  const refused = async (over: object, message: RegExp) => {
    const answer = await admin.post('/api/webhooks', { ...INPUT, ...over });
    t.match(answer, { status: 400, body: { error: 'VALIDATION_ERROR', message } }, JSON.stringify(over));
  };
  await refused({ url: 'http://169.254.169.254/latest' }, /"169\.254\.169\.254".*SVC_OUTBOUND_ALLOW/);
  await refused({ url: 'http://[::1]/' }, /"::1"/);
  await refused({ url: 'http://0x7f.0.0.2/' }, /"127\.0\.0\.2"/);
  await refused({ url: 'https://user:pass@example.com/' }, /no user name or password/);
  await refused({ url: 'ftp://example.com/' }, /https:\/\//);
  await refused({ url: 'example.com' }, /not a URL/);
  await refused({ events: ['run.exploded'] }, /events/);
  await refused({ events: ['webhook.test'] }, /events/);
  await refused({ events: [] }, /events/);
  await refused({ job_ids: [4711] }, /There is no job "4711"/);
  await refused({ secret: 'whsec_mine' }, /Unknown key "secret"/);
  await refused({ name: ' ' }, /name/);
  const made = await admin.post<Webhook>('/api/webhooks', INPUT);
  const moved = await admin.put(`/api/webhooks/${made.body.id}`, { url: 'http://169.254.169.254/' });
  t.equal(moved.status, 400, 'on a change too');
  t.equal((await admin.post('/api/webhooks/999/test')).status, 404);
  t.equal((await admin.get('/api/webhooks/999/deliveries')).status, 404);
  t.equal((await admin.post('/api/webhooks/999/rotate-secret', {})).status, 404);
});

await eachStore(t, 'a webhook keeps a job that is no more, and gets no new one like it', async (t, store) => {
  const { as } = await openApp(t, store);
  const admin = as('admin');
  const [kept, lost] = [await newJob(store, [nodeOf('a')]), await newJob(store, [nodeOf('a')])];
  const made = await admin.post<Webhook>('/api/webhooks', { ...INPUT, job_ids: [kept.id, lost.id] });
  await store.write((tx) => tx.deleteFrom('jobs').where('id', '=', lost.id).execute());
  const path = `/api/webhooks/${made.body.id}`;
  t.equal((await admin.put(path, { name: 'new', job_ids: [kept.id, lost.id] })).status, 200);
  t.equal((await admin.put(path, { job_ids: [kept.id] })).status, 200);
  t.equal((await admin.put(path, { job_ids: [kept.id, lost.id] })).status, 400);
});

await eachStore(
  t,
  'only administrators see and change webhooks, and keys need the scope',
  async (t, store) => {
    const { as, withKey, anonymous } = await openApp(t, store);
    const made = await as('admin').post<Webhook>('/api/webhooks', INPUT);
    const path = `/api/webhooks/${made.body.id}`;
    const calls = [
      ['get', '/api/webhooks'],
      ['get', path],
      ['get', `${path}/deliveries`],
      ['get', `${path}/deliveries/1`],
      ['post', '/api/webhooks'],
      ['put', path],
      ['delete', path],
      ['post', `${path}/test`],
      ['post', `${path}/rotate-secret`],
      ['post', `${path}/redeliver`],
      ['post', `${path}/deliveries/1/redeliver`],
    ] as const;
    for (const [method, url] of calls) {
      t.equal((await as('editor')[method](url)).status, 403, `editor ${method} ${url}`);
      t.equal((await anonymous[method](url)).status, 401, `anonymous ${method} ${url}`);
      if (method !== 'get')
        t.equal(
          (await withKey('admin', 'webhooks:read')[method](url)).status,
          403,
          `read key ${method} ${url}`,
        );
    }
    t.equal((await withKey('admin', 'webhooks:read').get(path)).status, 200);
    t.equal((await withKey('admin', 'jobs:*').get(path)).status, 403);
    t.equal((await withKey('admin', 'webhooks:write').put(path, { name: 'by key' })).status, 200);
  },
);

await eachStore(t, 'deliveries are listed, filtered, read and sent again', async (t, store) => {
  const { as, world } = await openApp(t, store);
  const admin = as('admin');
  const receiver = await startReceiver(t);
  receiver.answer = (response) => void response.writeHead(500).end('<b>no</b>');
  const made = await admin.post<Webhook>('/api/webhooks', { ...INPUT, url: receiver.url, events: '*' });
  const path = `/api/webhooks/${made.body.id}`;
  const key = { 'idempotency-key': 'test-1' };
  const tested = await admin.post<{ id: number }>(`${path}/test`, undefined, key);
  t.match(tested, { status: 201, body: { event: 'webhook.test', status: 'pending', attempts: 0 } });
  t.same(
    (await admin.post(`${path}/test`, undefined, key)).body,
    tested.body,
    'once, however often it is asked for',
  );
  const { id } = tested.body;
  await dueAt(store, id, world.clock.now());
  await world.deliverer().deliverDue();
  const failed = await admin.get(`${path}/deliveries/${id}`);
  t.match(failed.body, {
    status: 'pending',
    attempts: 1,
    response_status: 500,
    response_body: '<b>no</b>',
    error: 'It answered 500',
    payload: { type: 'webhook.test', data: { webhook_id: made.body.id } },
  });
  const other = await admin.post<Webhook>('/api/webhooks', {
    ...INPUT,
    url: receiver.url,
    name: 'other',
  });
  const elsewhere = `/api/webhooks/${other.body.id}/deliveries/${id}`;
  t.equal(other.status, 201);
  t.equal((await admin.get(elsewhere)).status, 404, 'of its own webhook');
  t.match(await admin.post(`${elsewhere}/redeliver`), { status: 404 }, 'of its own webhook');

  await store.write((tx) => world.outbox.emit(tx, PAUSED, Date.now()));
  const kinds = async (query: string) => {
    const { body } = await admin.get<{ result: { event: string }[] }>(`${path}/deliveries?${query}`);
    return body.result.map((one) => one.event);
  };
  t.same(await kinds(''), ['trigger.paused', 'webhook.test']);
  t.same(await kinds('event=webhook.test'), ['webhook.test']);
  t.same(await kinds('status=delivered'), []);
  const first = await admin.get<{ next_cursor: string }>(`${path}/deliveries?limit=1`);
  t.same(await kinds(`limit=1&cursor=${first.body.next_cursor}`), ['webhook.test']);
  t.equal(
    (await admin.get(`${path}/deliveries?status=delivered&cursor=${first.body.next_cursor}`)).status,
    400,
  );

  t.equal((await admin.put(path, { enabled: false })).status, 200);
  t.same(await kinds('status=failed'), ['trigger.paused', 'webhook.test'], 'what waited ends');
  t.equal((await admin.post(`${path}/test`)).status, 409);
  t.equal((await admin.post(`${path}/deliveries/${id}/redeliver`)).status, 409);
  t.equal((await admin.put(path, { enabled: true })).status, 200);
  const again = await admin.post(`${path}/deliveries/${id}/redeliver`);
  t.match(again, { status: 200, body: { id, status: 'pending', attempts: 1 } });
  const later = new Date(Date.now() + 60_000).toISOString();
  t.same((await admin.post(`${path}/redeliver`, { since: later })).body, { queued: 0, remaining: 0 });
  t.same((await admin.post(`${path}/redeliver`, {})).body, { queued: 1, remaining: 0 });
  t.same(await kinds('status=pending'), ['trigger.paused', 'webhook.test']);
});

await eachStore(t, 'a secret is shown once, and is nowhere else', async (t, store) => {
  const { as, world } = await openApp(t, store);
  const admin = as('admin');
  const receiver = await startReceiver(t);
  receiver.answer = (response) => void response.writeHead(500).end();
  const key = { 'idempotency-key': 'create-1' };
  const made = await admin.post<Webhook>('/api/webhooks', { ...INPUT, url: receiver.url }, key);
  const again = await admin.post('/api/webhooks', { ...INPUT, url: receiver.url }, key);
  t.equal(again.status, 409, 'it is not kept for a second answer');
  const path = `/api/webhooks/${made.body.id}`;
  const rotated = await admin.post<Webhook>(`${path}/rotate-secret`, { overlap_seconds: 60 });
  t.match(rotated.body, { version: 2, previous_secret_until: String });
  t.equal((await admin.post(`${path}/rotate-secret`, { overlap_seconds: 604_801 })).status, 400);
  const logged: unknown[] = [];
  const log = (...args: unknown[]) => logged.push(args);
  const id = await world.queueTest(made.body.id);
  const deliverer = world.deliverer({ logger: { warn: log } as never });
  for (let tries = 0; tries < 10; tries++) {
    await dueAt(store, id, world.clock.now());
    await deliverer.deliverDue();
  }
  t.match(logged, [[{ delivery_id: id }]], 'that it was given up');
  const shown = [
    await admin.get('/api/webhooks'),
    await admin.get(path),
    await admin.get(`${path}/deliveries`),
    await admin.get(`${path}/deliveries/${id}`),
    await admin.put(path, { name: 'new' }),
  ].map((answer) => answer.text);
  const stored = [
    await store.read.selectFrom('audit_logs').selectAll().execute(),
    await store.read.selectFrom('idempotency_keys').selectAll().execute(),
    await webhookOf(store, made.body.id),
    await deliveryOf(store, id),
  ];
  const everything = JSON.stringify([shown, stored, logged]);
  for (const { secret } of [made.body, rotated.body])
    t.notOk(everything.includes(secret.slice('whsec_'.length)));
  t.notOk(everything.includes('whsec_'));
});
