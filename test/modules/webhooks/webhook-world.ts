import type { Test } from 'tap';
import { type Cipher, createCipher } from '../../../src/base/cipher.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Outbound } from '../../../src/base/outbound/outbound.ts';
import type { ServerCounter, ServerMeter } from '../../../src/base/server-meter.ts';
import { systemActor } from '../../../src/modules/audit/audit.ts';
import { channelBody } from '../../../src/modules/notifications/failure-store.ts';
import { createChannelSenders } from '../../../src/modules/notifications/send/channel-senders.ts';
import {
  ATTEMPT_TIMEOUT_MS,
  WebhookDeliverer,
  type WebhookDelivererDeps,
} from '../../../src/modules/webhooks/delivery/webhook-deliverer.ts';
import {
  createWebhookRedelivery,
  newEventId,
} from '../../../src/modules/webhooks/delivery/webhook-redelivery.ts';
import { createWebhookSender } from '../../../src/modules/webhooks/delivery/webhook-send.ts';
import type { WebhookSettings } from '../../../src/modules/webhooks/webhook.ts';
import { createWebhookOutbox } from '../../../src/modules/webhooks/webhook-outbox.ts';
import { createWebhooks, type IssuedWebhook } from '../../../src/modules/webhooks/webhook-service.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { outboundOf } from '../../support/outbound.ts';

const MASTER_KEY = '1c7e0a94f4a6f8d3e5b7c9a1f2e3db2d';

export const PUBLIC_URL = 'https://headgate.example.com/';

export interface DelivererOver extends Partial<WebhookDelivererDeps> {
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs?: number;
  readonly publicUrl?: string | null;
  /** Of channels. */
  readonly outbound?: Outbound;
}

export interface WebhookWorld {
  readonly store: Store;
  readonly cipher: Cipher;
  readonly outbound: Outbound;
  /** By which deliveries are due; stands at the present until the test moves it. */
  readonly clock: TestClock;
  readonly webhooks: ReturnType<typeof createWebhooks>;
  readonly redelivery: ReturnType<typeof createWebhookRedelivery>;
  readonly outbox: ReturnType<typeof createWebhookOutbox>;
  readonly counts: Partial<Record<ServerCounter, number>>;
  /** One more control plane's deliverer; stopped when the test ends. */
  deliverer(over?: DelivererOver): WebhookDeliverer;
  newWebhook(over: Partial<WebhookSettings> & { readonly url: string }): Promise<IssuedWebhook>;
  /** Puts one `webhook.test` event into the outbox, due at the test's present. */
  queueTest(webhookId: number): Promise<number>;
}

/** Webhooks as the server composes them, with loopback on the list. */
export function openWebhooks(t: Test, store: Store): WebhookWorld {
  const clock = createTestClock(Date.now());
  const cipher = createCipher([MASTER_KEY]);
  const outbound = outboundOf(t);
  const webhooks = createWebhooks({ store, clock, cipher, checkUrl: outbound.checkUrl });
  const outbox = createWebhookOutbox({ newEventId, channelBody });
  const { emitTo } = outbox;
  const wake = () => store.notify('webhooks');
  const redelivery = createWebhookRedelivery({ store, clock, receiver: 'webhook', emitTo, wake });
  const counts: Partial<Record<ServerCounter, number>> = {};
  const meter: ServerMeter = {
    count(name, by = 1) {
      counts[name] = (counts[name] ?? 0) + by;
    },
    observe: () => undefined,
  };
  return {
    store,
    cipher,
    outbound,
    clock,
    webhooks,
    redelivery,
    outbox,
    counts,
    deliverer(over = {}) {
      const {
        fetch,
        timeoutMs = ATTEMPT_TIMEOUT_MS,
        publicUrl = PUBLIC_URL,
        outbound: way = outbound,
        ...rest
      } = over;
      const deliverer = new WebhookDeliverer({
        store,
        clock,
        logger: silentLogger,
        meter,
        random: () => 0,
        senders: {
          webhook: createWebhookSender({ cipher, fetch: fetch ?? way.fetch, timeoutMs }),
          ...createChannelSenders({
            cipher,
            outbound: way,
            timeoutMs,
            publicUrl,
          }),
        },
        now: async () => clock.now(),
        ...rest,
      });
      t.teardown(() => deliverer.stop());
      return deliverer;
    },
    newWebhook: (over) => webhooks.create({ name: 'test', events: '*', ...over }, systemActor),
    async queueTest(webhookId) {
      const { id } = await redelivery.test(webhookId, systemActor);
      // The store's clock put it there; the test's is the one that is asked.
      await dueAt(store, id, clock.now());
      return id;
    },
  };
}

export async function dueAt(store: Store, deliveryId: number, at: number): Promise<void> {
  await store.write((tx) =>
    tx.updateTable('webhook_deliveries').set({ next_attempt_at: at }).where('id', '=', deliveryId).execute(),
  );
}

export async function deliveryOf(store: Store, id: number) {
  return store.read
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function webhookOf(store: Store, id: number) {
  return store.read.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}
