import { z } from 'zod';
import { requireFound } from '../../../base/errors.ts';
import { idParams } from '../../../http/operation.ts';
import { pageQuery } from '../../../http/paging.ts';
import { type RouteGroup, Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Db, Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { eventKind } from '../webhook-event.ts';
import { DELIVERY_STATUSES, type DeliveryRow } from './webhook-delivery.ts';
import { selectDeliveries, selectDelivery } from './webhook-delivery-store.ts';
import { REDELIVERED_MAX, type WebhookRedelivery } from './webhook-redelivery.ts';

/** A delivery in answers, but for its receiver. */
export const deliveryFields = {
  id: z.number().int(),
  event_id: z.string().describe('The same in every attempt'),
  event: eventKind,
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.number().int(),
  next_attempt_at: z.string().nullable().describe('Null once it has ended'),
  last_attempt_at: z.string().nullable(),
  response_status: z
    .number()
    .int()
    .nullable()
    .describe('HTTP status of the last attempt; null if there was no response'),
  error: z.string().nullable(),
  duration_ms: z.number().int().nullable(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
};

export const deliveryExample = {
  id: 17,
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
  .meta({ id: 'Redelivery', examples: [{ queued: 12, remaining: 0 }] });

/** What the deliveries of a kind of receiver have of their own. */
export interface DeliveryRoutesSpec extends RouteGroup {
  /** Of the receivers, as in `/api/webhooks`. */
  readonly path: string;
  /** In operation ids, as in `Webhook`. */
  readonly name: string;
  readonly noun: string;
  readonly answer: z.ZodType;
  /** With what was sent and answered. */
  readonly wholeAnswer: z.ZodType;
  readonly show: (row: DeliveryRow) => unknown;
  readonly showWhole: (row: DeliveryRow) => unknown;
  readonly find: (db: Db, id: number) => Promise<object | null>;
}

export interface DeliveryRoutesDeps {
  readonly store: Store;
  readonly redelivery: WebhookRedelivery;
}

/** What was sent to a receiver and what it answered, tests, and sending again. */
export function registerDeliveryRoutes(app: App, spec: DeliveryRoutesSpec, deps: DeliveryRoutesDeps): void {
  const routes = new Routes(app, spec);
  registerReads(routes, spec, deps);
  registerActions(routes, spec, deps);
}

function registerReads(
  routes: Routes,
  { path, name, noun, answer, wholeAnswer, show, showWhole, find }: DeliveryRoutesSpec,
  { store }: DeliveryRoutesDeps,
): void {
  routes.list(
    `${path}/:id/deliveries`,
    {
      id: `list${name}Deliveries`,
      summary: `The deliveries of a ${noun}, newest first`,
      query: listQuery,
      answer,
    },
    async ({ params, query }, paging) => {
      const filters = { ...query, webhook_id: params.id };
      requireFound(await find(store.read, params.id), noun, params.id);
      return selectDeliveries(store.read, filters, paging);
    },
    show as (row: unknown) => unknown,
  );

  routes.get(
    `${path}/:id/deliveries/:delivery_id`,
    {
      id: `get${name}Delivery`,
      summary: 'One delivery, with what was sent and the answer',
      params: deliveryParams,
      answer: wholeAnswer,
    },
    async (request) => {
      const { id, delivery_id } = request.params;
      requireFound(await find(store.read, id), noun, id);
      const row = requireFound(await selectDelivery(store.read, id, delivery_id), 'delivery', delivery_id);
      return showWhole(row);
    },
  );
}

function registerActions(
  routes: Routes,
  { path, name, noun, answer, show }: DeliveryRoutesSpec,
  { redelivery: sends }: DeliveryRoutesDeps,
): void {
  routes.post(
    `${path}/:id/test`,
    {
      id: `test${name}`,
      summary: 'Send a webhook.test event, in the same way as any event',
      answers: { 201: answer },
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => show(await sends.test(request.params.id, actorOf(request))),
  );

  routes.post(
    `${path}/:id/deliveries/:delivery_id/redeliver`,
    {
      id: `redeliver${name}Delivery`,
      summary: 'Send an event again, with the same event_id',
      params: deliveryParams,
      answer,
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => {
      const { id, delivery_id } = request.params;
      return show(await sends.redeliver(id, delivery_id, actorOf(request)));
    },
  );

  routes.post(
    `${path}/:id/redeliver`,
    {
      id: `redeliverFailed${name}Deliveries`,
      summary: `Resend failed deliveries of a ${noun}, the oldest ${REDELIVERED_MAX} first`,
      body: redelivery,
      answer: redelivered,
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => {
      const { since } = request.body;
      const from = since === undefined ? 0 : Date.parse(since);
      return sends.redeliverFailed(request.params.id, from, actorOf(request));
    },
  );
}
