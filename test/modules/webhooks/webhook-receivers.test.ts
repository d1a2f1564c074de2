import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { readRetryAfter, retryDelayMs } from '../../../src/modules/webhooks/delivery/webhook-delivery.ts';
import { startReceiver } from '../../support/http-receiver.ts';
import { outboundOf } from '../../support/outbound.ts';
import { eachStore } from '../../support/stores.ts';
import { deliveryOf, openWebhooks } from './webhook-world.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;

await eachStore(t, 'a slow receiver holds up itself alone', async (t, store) => {
  const world = openWebhooks(t, store);
  const slow = await startReceiver(t);
  const quick = await startReceiver(t);
  slow.answer = () => undefined;
  const first = await world.newWebhook({ url: slow.url });
  const second = await world.newWebhook({ url: quick.url });
  for (let index = 0; index < 20; index++) await world.queueTest(first.row.id);
  for (let index = 0; index < 20; index++) await world.queueTest(second.row.id);
  const deliverer = world.deliverer({ timeoutMs: 60_000 });
  void deliverer.deliverDue();
  while (quick.received.length < 20) await wait(10);
  t.equal(slow.received.length, 4, 'no more than its share at once');
  await deliverer.stop();
});

await eachStore(
  t,
  'who does not answer in time, redirects or is out of reach has failed',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const receiver = await startReceiver(t);
    const other = await startReceiver(t);
    const { row } = await world.newWebhook({ url: receiver.url });
    const deliverer = world.deliverer({ timeoutMs: 200 });
    const outcomeOf = async () => {
      const id = await world.queueTest(row.id);
      await deliverer.deliverDue();
      return deliveryOf(store, id);
    };
    receiver.answer = () => undefined;
    t.match(await outcomeOf(), {
      status: 'pending',
      response_status: null,
      error: 'It did not answer within 200 ms',
    });
    receiver.answer = (response) => void response.writeHead(307, { location: other.url }).end();
    t.match(await outcomeOf(), { response_status: 307, error: /redirects are not followed/ });
    t.equal(other.received.length, 0);
    receiver.answer = (response) => void response.end(`\0<script>${'ä'.repeat(2_000)}`);
    const told = await outcomeOf();
    t.equal(told.status, 'delivered');
    t.match(told.response_body, /^\u2400<script>ä+/, 'NUL cannot be stored');
    t.ok((told.response_body ?? '').length < 1_100);
    receiver.answer = (response) => void response.writeHead(200).write('begun and never ended');
    t.match(await outcomeOf(), { status: 'delivered', response_status: 200 }, 'the status says it');
  },
);

await eachStore(
  t,
  'an address that the policy refuses is not connected to, saved before or not',
  async (t, store) => {
    const world = openWebhooks(t, store);
    const receiver = await startReceiver(t);
    const { row } = await world.newWebhook({ url: receiver.url });
    for (const url of [
      `http://localhost:${receiver.port}/`,
      `http://[::ffff:127.0.0.1]:${receiver.port}/`,
      'http://169.254.169.254/',
    ]) {
      await store.write((tx) => tx.updateTable('webhooks').set({ url }).where('id', '=', row.id).execute());
      const id = await world.queueTest(row.id);
      const strict = world.deliverer({ fetch: outboundOf(t, []).fetch });
      await strict.deliverDue();
      t.match(
        await deliveryOf(store, id),
        { status: 'pending', response_status: null, error: /SVC_OUTBOUND_ALLOW/ },
        url,
      );
    }
    t.equal(receiver.received.length, 0);
  },
);

t.test('a receiver may ask for more time, within bounds', async (t) => {
  const asked = (retryAfterMs: number | null) => retryDelayMs(1, { retryAfterMs }, () => 0);
  t.equal(asked(null), 5 * SECOND);
  t.equal(asked(1), 5 * SECOND, 'not less than the schedule');
  t.equal(asked(60 * SECOND), 60 * SECOND);
  t.equal(asked(1_000 * HOUR), 24 * HOUR);
  t.equal(
    retryDelayMs(10, { retryAfterMs: 60 * SECOND }, () => 0),
    null,
    'not more often',
  );
  t.equal(
    retryDelayMs(2, { retryAfterMs: null }, () => 0.999_999),
    360 * SECOND,
    'up to a fifth later',
  );
  const now = Date.parse('2026-01-15T12:00:00Z');
  t.equal(readRetryAfter('120', now), 120 * SECOND);
  t.equal(readRetryAfter('Thu, 15 Jan 2026 12:01:00 GMT', now), 60 * SECOND);
  t.equal(readRetryAfter('Thu, 15 Jan 2026 11:00:00 GMT', now), 0);
  for (const header of [null, '', 'soon', '-1', '99999999999'])
    t.notOk(readRetryAfter(header, now), String(header));
});
