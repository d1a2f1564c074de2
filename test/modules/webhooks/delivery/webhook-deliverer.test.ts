import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { systemActor } from '../../../../src/modules/audit/audit.ts';
import { RETRY_DELAYS_MS } from '../../../../src/modules/webhooks/delivery/webhook-delivery.ts';
import { startReceiver } from '../../../support/http-receiver.ts';
import { keptLogger } from '../../../support/kept-logger.ts';
import { eachStore } from '../../../support/stores.ts';
import { deliveryOf, dueAt, openWebhooks, webhookOf } from '../webhook-world.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;

function verified(secret: string, { headers, body }: { headers: object; body: string }): unknown {
  return new Webhook(secret).verify(body, headers as Record<string, string>);
}

await eachStore(t, 'what arrives verifies with the secret of the webhook alone', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  const { row, secret } = await world.newWebhook({ url: receiver.url });
  const id = await world.queueTest(row.id);
  t.equal(await world.deliverer().deliverDue(), 1);
  const [got] = receiver.received;
  if (got === undefined) throw new Error('nothing arrived');
  t.match(verified(secret, got), { type: 'webhook.test', timestamp: String, data: { webhook_id: row.id } });
  t.throws(() => verified('whsec_bm90IHRoZSByaWdodCBvbmUgYXQgYWxsIQ==', got), /No matching signature/);
  t.throws(() => verified(secret, { ...got, body: `${got.body} ` }), /No matching signature/);
  t.match(got.headers, { 'content-type': 'application/json', 'webhook-id': /^msg_[0-9a-f]{32}$/ });
  t.match(await deliveryOf(store, id), {
    status: 'delivered',
    attempts: 1,
    response_status: 204,
    error: null,
  });
  t.match(await webhookOf(store, row.id), { consecutive_failures: 0, last_success_at: Number });
  t.same(world.counts, { webhooks_delivered: 1 });
});

await eachStore(
  t,
  'while a rotation overlaps both secrets verify, and then the new one alone',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const receiver = await startReceiver(t);
    const { row, secret: before } = await world.newWebhook({ url: receiver.url });
    const { secret: after } = await world.webhooks.rotateSecret(row.id, 3_600, systemActor);
    t.not(after, before);
    const deliverer = world.deliverer();
    await world.queueTest(row.id);
    await deliverer.deliverDue();
    const [during] = receiver.received;
    t.doesNotThrow(() => verified(before, during ?? { headers: {}, body: '' }));
    t.doesNotThrow(() => verified(after, during ?? { headers: {}, body: '' }));
    // The overlap is over, as the store's clock has it.
    await store.write((tx) => tx.updateTable('webhooks').set({ previous_secret_until: 1 }).execute());
    await world.queueTest(row.id);
    await deliverer.deliverDue();
    const later = receiver.received[1] ?? { headers: {}, body: '' };
    t.throws(() => verified(before, later), /No matching signature/);
    t.doesNotThrow(() => verified(after, later));
    const { secret: last } = await world.webhooks.rotateSecret(row.id, 0, systemActor);
    await world.queueTest(row.id);
    await deliverer.deliverDue();
    const now = receiver.received[2] ?? { headers: {}, body: '' };
    t.throws(() => verified(after, now), /No matching signature/, 'without an overlap at once');
    t.doesNotThrow(() => verified(last, now));
  },
);

await eachStore(
  t,
  'what fails is tried again by the schedule with the same id, and then given up',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const receiver = await startReceiver(t);
    receiver.answer = (response) => void response.writeHead(500).end('down');
    const { row } = await world.newWebhook({ url: receiver.url });
    const id = await world.queueTest(row.id);
    const deliverer = world.deliverer();
    for (const [index, delayMs] of RETRY_DELAYS_MS.entries()) {
      t.equal(await deliverer.deliverDue(), 1);
      const now = world.clock.now();
      t.match(await deliveryOf(store, id), {
        status: 'pending',
        attempts: index + 1,
        next_attempt_at: now + delayMs,
        response_status: 500,
        response_body: 'down',
        error: 'It answered 500',
      });
      world.clock.advance(delayMs - 1);
      t.equal(await deliverer.deliverDue(), 0, 'not before its time');
      world.clock.advance(1);
    }
    t.equal(await deliverer.deliverDue(), 1);
    t.match(await deliveryOf(store, id), {
      status: 'failed',
      attempts: 10,
      next_attempt_at: null,
      ended_at: Number,
    });
    t.equal(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size, 1);
    t.match(await webhookOf(store, row.id), { consecutive_failures: 10, enabled: 1 });
    t.same(world.counts, { webhook_attempts_failed: 10, webhooks_given_up: 1 });

    receiver.answer = (response) => void response.end();
    await world.redelivery.redeliver(row.id, id, systemActor);
    await dueAt(store, id, world.clock.now());
    t.equal(await deliverer.deliverDue(), 1);
    t.match(await deliveryOf(store, id), { status: 'delivered', attempts: 11, error: null });
    t.equal(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size, 1);
    t.match(await webhookOf(store, row.id), { consecutive_failures: 0, failing_since: null });
  },
);

await eachStore(t, 'two control planes send each of fifty deliveries once', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  receiver.answer = async (response) => {
    await wait(5);
    response.end();
  };
  const first = await world.newWebhook({ url: receiver.url });
  const second = await world.newWebhook({ url: receiver.url });
  for (let index = 0; index < 25; index++) {
    await world.queueTest(first.row.id);
    await world.queueTest(second.row.id);
  }
  const sent = await Promise.all([world.deliverer().deliverDue(), world.deliverer().deliverDue()]);
  t.equal((sent[0] ?? 0) + (sent[1] ?? 0), 50);
  t.ok(
    sent.every((count) => count > 0),
    `both had a part: ${sent.join(' and ')}`,
  );
  t.equal(receiver.received.length, 50);
  t.equal(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size, 50);
});

await eachStore(
  t,
  'what a dead control plane had in hand is sent again with the same id',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const receiver = await startReceiver(t);
    const { row } = await world.newWebhook({ url: receiver.url });
    const id = await world.queueTest(row.id);
    const died = world.deliverer({
      // It had sent the request and was killed before it could say so.
      fetch: async (input, init) => {
        await world.outbound.fetch(input, init);
        return new Promise<Response>((_, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      },
      timeoutMs: 600_000,
    });
    void died.deliverDue();
    while (receiver.received.length === 0) await wait(5);
    const next = world.deliverer();
    t.equal(await next.deliverDue(), 0, 'nobody else sends it meanwhile');
    world.clock.advance(60 * SECOND);
    t.equal(await next.deliverDue(), 1, 'its lease has lapsed');
    t.equal(receiver.received.length, 2);
    t.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id']);
    t.match(await deliveryOf(store, id), { status: 'delivered', attempts: 2 });
    await died.stop();
    t.match(
      await deliveryOf(store, id),
      { status: 'delivered', attempts: 2 },
      'whose lease it was changes nothing',
    );
  },
);

await eachStore(t, 'who stops gives back what it had in hand', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  receiver.answer = () => undefined;
  const { row } = await world.newWebhook({ url: receiver.url });
  const id = await world.queueTest(row.id);
  const stopping = world.deliverer();
  stopping.start();
  while (receiver.received.length === 0) await wait(5);
  await stopping.stop();
  receiver.answer = (response) => void response.end();
  t.match(await deliveryOf(store, id), { status: 'pending', lease_token: null, tries: 0 });
  t.equal(await world.deliverer().deliverDue(), 1);
  t.match(await deliveryOf(store, id), { status: 'delivered' });
});

await eachStore(t, '410 disables the webhook, and what waits for it ends', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  const { row } = await world.newWebhook({ url: receiver.url });
  receiver.answer = (response) => void response.writeHead(410).end();
  const id = await world.queueTest(row.id);
  const waiting = await world.queueTest(row.id);
  await dueAt(store, waiting, world.clock.now() + HOUR);
  const deliverer = world.deliverer();
  await deliverer.deliverDue();
  t.match(await deliveryOf(store, id), { status: 'failed', error: 'It answered 410', response_status: 410 });
  t.match(await deliveryOf(store, waiting), { status: 'failed', error: /disabled/ });
  t.match(await webhookOf(store, row.id), { enabled: 0, disabled_reason: /410 Gone/, version: 2 });
  const audits = await store.read
    .selectFrom('audit_logs')
    .selectAll()
    .where('action', '=', 'webhook.disable')
    .execute();
  t.match(audits, [{ actor_type: 'system', resource_id: String(row.id) }]);
  await t.rejects(world.redelivery.test(row.id, systemActor), { code: 'CONFLICT' });
  const enabled = await world.webhooks.update(row.id, { enabled: true }, null, systemActor);
  t.match(enabled, { enabled: 1, disabled_reason: null, consecutive_failures: 0 });
  t.same(await world.redelivery.redeliverFailed(row.id, 0, systemActor), { queued: 2, remaining: 0 });
});

await eachStore(t, 'after five days of nothing but failures it is disabled', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  receiver.answer = (response) => void response.writeHead(503).end();
  const { row } = await world.newWebhook({ url: receiver.url });
  const deliverer = world.deliverer();
  await world.queueTest(row.id);
  await deliverer.deliverDue();
  world.clock.advance(5 * 24 * HOUR - 1);
  await deliverer.deliverDue();
  t.match(await webhookOf(store, row.id), { enabled: 1, consecutive_failures: 2 });
  world.clock.advance(1);
  await world.queueTest(row.id);
  await deliverer.deliverDue();
  t.match(await webhookOf(store, row.id), { enabled: 0, disabled_reason: 'Only failures for 5 days' });
});

await eachStore(t, 'the log says once a minute that attempts fail, and how many', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  receiver.answer = (response) => void response.writeHead(500).end();
  const { row } = await world.newWebhook({ url: receiver.url });
  const { logger, lines } = keptLogger();
  const deliverer = world.deliverer({ logger });
  for (let event = 0; event < 5; event++) await world.queueTest(row.id);
  t.equal(await deliverer.deliverDue(), 5);
  t.equal(lines().length, 1);
  world.clock.advance(60_000);
  t.ok((await deliverer.deliverDue()) >= 1);
  const said = lines().map((line) => JSON.parse(line) as { count: number });
  const message = 'attempts to deliver webhooks failed';
  t.match(said, [
    { count: 1, webhook_id: row.id, reason: 'It answered 500', msg: message },
    { count: 5, webhook_id: row.id, reason: 'It answered 500', msg: message },
  ]);
  t.equal(said.length, 2);
});
