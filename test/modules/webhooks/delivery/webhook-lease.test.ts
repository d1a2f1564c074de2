import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startReceiver } from '../../../support/http-receiver.ts';
import { eachStore } from '../../../support/stores.ts';
import { deliveryOf, openWebhooks, webhookOf } from '../webhook-world.ts';

/** Beyond the lease of a claim. */
const LAPSED_MS = 61_000;

await eachStore(t, 'who has lost a delivery changes nothing of it', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  const late = Promise.withResolvers<void>();
  receiver.answer = async (response) => {
    if (receiver.received.length > 1) return void response.writeHead(204).end();
    await late.promise;
    response.writeHead(500).end('late');
  };
  const { row } = await world.newWebhook({ url: receiver.url });
  const id = await world.queueTest(row.id);
  const slow = world.deliverer().deliverDue();
  while (receiver.received.length === 0) await sleep(1);
  world.clock.advance(LAPSED_MS);
  t.equal(await world.deliverer().deliverDue(), 1, 'its lease has lapsed: another sends it');
  const delivered = await deliveryOf(store, id);
  t.match(delivered, { status: 'delivered', attempts: 2, response_status: 204, next_attempt_at: null });
  late.resolve();
  await slow;
  t.same(await deliveryOf(store, id), delivered);
  t.match(await webhookOf(store, row.id), { consecutive_failures: 0, failing_since: null });
  t.same(world.counts, { webhooks_delivered: 1 });
  world.clock.advance(LAPSED_MS);
  t.equal(await world.deliverer().deliverDue(), 0, 'and it is not sent again');
  t.equal(receiver.received.length, 2);
});

await eachStore(t, 'who stops gives back only what is still theirs', async (t, store) => {
  const world = openWebhooks(t, store);
  const receiver = await startReceiver(t);
  const end = Promise.withResolvers<void>();
  t.teardown(() => end.resolve());
  receiver.answer = async (response) => {
    await end.promise;
    response.end();
  };
  const { row } = await world.newWebhook({ url: receiver.url });
  const id = await world.queueTest(row.id);
  const first = world.deliverer();
  const lost = first.deliverDue();
  while (receiver.received.length === 0) await sleep(1);
  world.clock.advance(LAPSED_MS);
  const second = world.deliverer();
  const held = second.deliverDue();
  while (receiver.received.length === 1) await sleep(1);
  const claimed = await deliveryOf(store, id);
  await first.stop();
  await lost;
  t.same(await deliveryOf(store, id), claimed, 'the second one holds it');
  t.equal(await world.deliverer().deliverDue(), 0);
  await second.stop();
  await held;
  t.match(await deliveryOf(store, id), { status: 'pending', tries: 1, lease_token: null });
});
