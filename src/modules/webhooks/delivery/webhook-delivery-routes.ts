import { z } from 'zod';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import { member } from '../../../http/access.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { eventPayload } from '../webhook-event.ts';
import { selectWebhook } from '../webhook-store.ts';
import { deliveryExample, deliveryFields, registerDeliveryRoutes } from './delivery-routes.ts';
import { type DeliveryRow, toDelivery } from './webhook-delivery.ts';
import type { WebhookRedelivery } from './webhook-redelivery.ts';

const example = { ...deliveryExample, webhook_id: 3 };

const deliveryRecord = z
  .object({ ...deliveryFields, webhook_id: z.number().int() })
  .meta({ id: 'WebhookDelivery', examples: [example] });

const wholeDelivery = deliveryRecord
  .extend({
    payload: eventPayload,
    response_body: z.string().nullable().describe('The beginning of the last attempt’s response'),
  })
  .meta({
    id: 'WholeWebhookDelivery',
    examples: [
      {
        ...example,
        payload: {
          type: 'run.failing',
          timestamp: '2026-01-15T01:00:03.012Z',
          data: {
            job_run_id: 31,
            job_id: 2,
            job_name: 'orders of Acme',
            trigger_id: 4,
            status: 'error',
            reason: 'schedule',
            scheduled_for: '2026-01-15T01:00:00.000Z',
            ended_at: '2026-01-15T01:00:03.012Z',
            since: '2026-01-15T01:00:03.012Z',
          },
        },
        response_body: '',
      },
    ],
  });

export interface WebhookDeliveryRoutesDeps {
  readonly store: Store;
  readonly webhookRedelivery: WebhookRedelivery;
}

export function registerWebhookDeliveryRoutes(app: App, deps: WebhookDeliveryRoutesDeps): void {
  const spec = {
    tag: 'Webhooks',
    read: member('admin', 'webhooks:read'),
    write: member('admin', 'webhooks:write'),
    path: '/api/webhooks',
    name: 'Webhook',
    noun: 'webhook',
    answer: deliveryRecord,
    wholeAnswer: wholeDelivery,
    show,
    showWhole,
    find: selectWebhook,
  };
  registerDeliveryRoutes(app, spec, { store: deps.store, redelivery: deps.webhookRedelivery });
}

function show(row: DeliveryRow) {
  return { ...toDelivery(row), webhook_id: row.webhook_id };
}

function showWhole(row: DeliveryRow) {
  return { ...show(row), payload: parseJsonText(row.body), response_body: row.response_body };
}
