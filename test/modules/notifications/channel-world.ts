import { systemActor } from '../../../src/modules/audit/audit.ts';
import type { MailInput } from '../../../src/modules/notifications/channel-address.ts';
import { createChannels } from '../../../src/modules/notifications/channel-service.ts';
import { createWebhookRedelivery } from '../../../src/modules/webhooks/delivery/webhook-redelivery.ts';
import type { ChannelKind } from '../../../src/modules/webhooks/webhook.ts';
import { dueAt, type WebhookWorld } from '../webhooks/webhook-world.ts';

export const MAIL: MailInput = {
  host: 'localhost',
  port: 25,
  security: 'none',
  username: null,
  password: null,
  from: 'headgate@example.com',
  to: ['ops@example.com'],
  ca: null,
};

/** Channels beside the webhooks of a world. */
export function openChannels({ store, clock, cipher, outbound, outbox }: WebhookWorld) {
  const channels = createChannels({ store, clock, cipher, checkUrl: outbound.checkUrl });
  const redelivery = createWebhookRedelivery({
    store,
    clock,
    receiver: 'channel',
    emitTo: outbox.emitTo,
    wake: () => store.notify('webhooks'),
  });
  return {
    channels,
    redelivery,
    /** A channel that is told of everything. */
    newChannel(kind: ChannelKind, input: { readonly url?: string; readonly email?: MailInput }) {
      return channels.create(kind, { name: `to ${kind}`, events: '*', ...input }, systemActor);
    },
    /** Puts a test into the outbox, due at the test's present. */
    async queueTest(id: number): Promise<number> {
      const delivery = await redelivery.test(id, systemActor);
      await dueAt(store, delivery.id, clock.now());
      return delivery.id;
    },
  };
}
