import { z } from 'zod';
import { requireFound } from '../../../base/errors.ts';
import { member } from '../../../http/access.ts';
import { idParams } from '../../../http/operation.ts';
import { pageQuery } from '../../../http/paging.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { eventKind, eventPayload } from '../webhook-event.ts';
import { selectWebhook } from '../webhook-store.ts';
import { DELIVERY_STATUSES, toDelivery, toWholeDelivery } from './webhook-delivery.ts';
import { selectDeliveries, selectDelivery } from './webhook-delivery-store.ts';
import { REDELIVERED_MAX, type WebhookRedelivery } from './webhook-redelivery.ts';

const example = {
  id: 17,
  webhook_id: 3,
  event_id: 'msg_4f1d8c07b2a95e63c0ffee12ab34cd56',
  event: 'run.failing',
  status: 'delivered',
  attempts: 2,
  next_attempt_at: null,
  last_attempt_at: '2026-01-15T01:00:08.104Z',
  response_status: 204,
  error: null,
  duration_ms: 41,
  created_at: '2026-01-15T01:00:03.012Z',
  ended_at: '2026-01-15T01:00:08.145Z',
};

const deliveryRecord = z
  .object({
    id: z.number().int(),
    webhook_id: z.number().int(),
    event_id: z.string().describe('The webhook-id header of every attempt'),
    event: eventKind,
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.number().int(),
    next_attempt_at: z.string().nullable().describe('Null once it has ended'),
    last_attempt_at: z.string().nullable(),
    response_status: z
      .number()
      .int()
      .nullable()
      .describe('The status of the last attempt; null if there was no answer'),
    error: z.string().nullable(),
    duration_ms: z.number().int().nullable(),
    created_at: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery', examples: [example] });

const wholeDelivery = deliveryRecord
  .extend({
    payload: eventPayload,
    response_body: z.string().nullable().describe('The beginning of the last attempt’s answer'),
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

const deliveryParams = idParams.extend({ delivery_id: idParams.shape.id });

const listQuery = pageQuery.extend({
  status: z.enum(DELIVERY_STATUSES).optional(),
  event: eventKind.optional(),
});

const redelivery = z.strictObject({
  since: z.iso.datetime({ offset: true }).optional().describe('Default: all stored ones'),
});

const redelivered = z
  .object({
    queued: z.number().int(),
    remaining: z.number().int().describe('Failed deliveries that are not queued'),
  })
  .meta({ id: 'WebhookRedelivery', examples: [{ queued: 12, remaining: 0 }] });

const group = {
  tag: 'Webhooks',
  read: member('admin', 'webhooks:read'),
  write: member('admin', 'webhooks:write'),
};

export interface WebhookDeliveryRoutesDeps {
  readonly store: Store;
  readonly webhookRedelivery: WebhookRedelivery;
}

export function registerWebhookDeliveryRoutes(app: App, deps: WebhookDeliveryRoutesDeps): void {
  const routes = new Routes(app, group);
  registerReads(routes, deps);
  registerActions(routes, deps);
}

function registerReads(routes: Routes, { store }: WebhookDeliveryRoutesDeps): void {
  routes.list(
    '/api/webhooks/:id/deliveries',
    {
      id: 'listWebhookDeliveries',
      summary: 'The deliveries of a webhook, newest first',
      query: listQuery,
      answer: deliveryRecord,
    },
    async ({ params, query }, paging) => {
      const filters = { ...query, webhook_id: params.id };
      requireFound(await selectWebhook(store.read, filters.webhook_id), 'webhook', filters.webhook_id);
      return selectDeliveries(store.read, filters, paging);
    },
    toDelivery,
  );

  routes.get(
    '/api/webhooks/:id/deliveries/:delivery_id',
    {
      id: 'getWebhookDelivery',
      summary: 'One delivery, with its body and the answer',
      params: deliveryParams,
      answer: wholeDelivery,
    },
    async (request) => {
      const { id, delivery_id } = request.params;
      const row = requireFound(await selectDelivery(store.read, id, delivery_id), 'delivery', delivery_id);
      return toWholeDelivery(row);
    },
  );
}

function registerActions(routes: Routes, { webhookRedelivery }: WebhookDeliveryRoutesDeps): void {
  routes.post(
    '/api/webhooks/:id/test',
    {
      id: 'testWebhook',
      summary: 'Send a webhook.test event, in the same way as any event',
      answers: { 201: deliveryRecord },
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => toDelivery(await webhookRedelivery.test(request.params.id, actorOf(request))),
  );

  routes.post(
    '/api/webhooks/:id/deliveries/:delivery_id/redeliver',
    {
      id: 'redeliverWebhookDelivery',
      summary: 'Send an event again, with the same webhook-id',
      params: deliveryParams,
      answer: deliveryRecord,
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => {
      const { id, delivery_id } = request.params;
      return toDelivery(await webhookRedelivery.redeliver(id, delivery_id, actorOf(request)));
    },
  );

  routes.post(
    '/api/webhooks/:id/redeliver',
    {
      id: 'redeliverFailedWebhookDeliveries',
      summary: `Resend failed deliveries, the oldest ${REDELIVERED_MAX} first`,
      body: redelivery,
      answer: redelivered,
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => {
      const { since } = request.body;
      const from = since === undefined ? 0 : Date.parse(since);
      return webhookRedelivery.redeliverFailed(request.params.id, from, actorOf(request));
    },
  );
}
