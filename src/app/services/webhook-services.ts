import { WEBHOOKS_CHANNEL, WebhookDeliverer } from '../../modules/webhooks/delivery/webhook-deliverer.ts';
import { createWebhookRedelivery } from '../../modules/webhooks/delivery/webhook-redelivery.ts';
import { createWebhooks } from '../../modules/webhooks/webhook-service.ts';
import type { MeteringServices } from './metering-services.ts';
import type { ServicesDeps } from './services.ts';

/** Who is told of events, and what tells them. What is told comes from `webhookOutbox` of the execution services. */
export function createWebhookServices(
  { store, clock, logger, cipher, outbound }: ServicesDeps,
  { meter }: Pick<MeteringServices, 'meter'>,
) {
  return {
    webhooks: createWebhooks({ store, clock, cipher, checkUrl: outbound.checkUrl }),
    webhookRedelivery: createWebhookRedelivery({ store, clock, wake: () => store.notify(WEBHOOKS_CHANNEL) }),
    webhookDeliverer: new WebhookDeliverer({
      store,
      cipher,
      logger,
      meter,
      random: Math.random,
      fetch: outbound.fetch,
    }),
  };
}
