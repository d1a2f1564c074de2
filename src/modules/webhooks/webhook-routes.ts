import { z } from 'zod';
import { member } from '../../http/access.ts';
import { setEtag } from '../../http/etag.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import { queryFlag } from '../../http/query-flag.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { nameField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { toWebhook, type WebhookRow } from './webhook.ts';
import { SUBSCRIBED_KINDS } from './webhook-event.ts';
import type { Webhooks } from './webhook-service.ts';
import { selectWebhook, selectWebhooks } from './webhook-store.ts';

const JOB_IDS_MAX = 1_000;
const OVERLAP_SECONDS_MAX = 7 * 86_400;
const OVERLAP_SECONDS_DEFAULT = 86_400;

const events = z
  .union([z.literal('*'), z.array(z.enum(SUBSCRIBED_KINDS)).min(1).max(SUBSCRIBED_KINDS.length)])
  .describe('The kinds of event, or "*" for all, including future ones');

const jobIds = z
  .array(z.int().positive())
  .min(1)
  .max(JOB_IDS_MAX)
  .nullable()
  .describe('Only events of these jobs; null: of all')
  .meta({ examples: [null] });

const example = {
  id: 3,
  name: 'on call',
  description: null,
  url: 'https://alerts.example.com/headgate',
  events: ['run.failing', 'run.recovered'],
  job_ids: null,
  enabled: true,
  previous_secret_until: null,
  last_success_at: '2026-01-15T01:00:03.512Z',
  last_failure_at: null,
  consecutive_failures: 0,
  failing_since: null,
  disabled_reason: null,
  version: 1,
  created_at: '2026-01-10T12:00:00.000Z',
  updated_at: '2026-01-10T12:00:00.000Z',
  updated_by: 'ada@example.com',
};

const webhookRecord = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    url: z.string(),
    events: z.union([z.literal('*'), z.array(z.enum(SUBSCRIBED_KINDS))]),
    job_ids: z.array(z.number().int()).nullable(),
    enabled: z.boolean(),
    previous_secret_until: z
      .string()
      .nullable()
      .describe('Until then, messages are also signed with the previous secret'),
    last_success_at: z.string().nullable(),
    last_failure_at: z.string().nullable(),
    consecutive_failures: z.number().int().describe('Failed attempts since the last success'),
    failing_since: z.string().nullable(),
    disabled_reason: z.string().nullable().describe('Why the server disabled it'),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'Webhook', examples: [example] });

const issuedRecord = webhookRecord
  .extend({ secret: z.string().describe('whsec_ and Base64; shown this once') })
  .meta({
    id: 'IssuedWebhook',
    examples: [{ ...example, secret: 'whsec_bm90IGEgcmVhbCBzZWNyZXQsIGJ1dCBhIGZvcm0gb2Y=' }],
  });

const url = z
  .string()
  .min(1)
  .max(2_048)
  .describe('http or https, without user name and password')
  .meta({ examples: [example.url] });
const optional = {
  description: z.string().max(2_000).nullable().optional(),
  job_ids: jobIds.optional(),
  enabled: z.boolean().optional().describe('Default true'),
};
const webhookInput = z.strictObject({ name: nameField, url, events, ...optional });
const webhookChange = z.strictObject({
  name: nameField.optional(),
  url: url.optional(),
  events: events.optional(),
  ...optional,
});

const rotation = z.strictObject({
  overlap_seconds: z
    .int()
    .min(0)
    .max(OVERLAP_SECONDS_MAX)
    .default(OVERLAP_SECONDS_DEFAULT)
    .describe('How long messages are also signed with the previous secret'),
});

const listQuery = pageQuery.extend({
  sort: definitionSort,
  enabled: queryFlag.optional(),
});
const kind = {
  path: '/api/webhooks',
  name: 'Webhook',
  noun: 'webhook',
  tag: 'Webhooks',
  read: member('admin', 'webhooks:read'),
  write: member('admin', 'webhooks:write'),
  answer: webhookRecord,
  show: toWebhook,
};

export interface WebhookRoutesDeps {
  readonly store: Store;
  readonly webhooks: Webhooks;
}

export function registerWebhookRoutes(app: App, deps: WebhookRoutesDeps): void {
  const { store, webhooks } = deps;
  const routes = new RecordRoutes<WebhookRow>(app, kind);
  routes.list({ summary: 'Webhooks, newest first', query: listQuery }, ({ query }, paging) =>
    selectWebhooks(store.read, query, paging),
  );
  routes.get({ summary: 'One webhook' }, (id) => selectWebhook(store.read, id));
  routes.create(
    {
      summary: 'Create a webhook; its secret is shown once',
      body: webhookInput,
      answer: issuedRecord,
      show: ({ secret, ...row }: WebhookRow & { secret: string }) => ({ ...toWebhook(row), secret }),
      errors: ['CONFLICT'],
      idempotent: 'secret',
    },
    async ({ body }, actor) => {
      const { row, secret } = await webhooks.create(body, actor);
      return { ...row, secret };
    },
  );
  routes.update(
    {
      summary: 'Change a webhook; keys that are left out keep their value',
      description: 'Disabling a webhook fails its pending deliveries; they can be redelivered later.',
      body: webhookChange,
    },
    ({ params, body }, expected, actor) => webhooks.update(params.id, body, expected, actor),
  );
  routes.remove({ summary: 'Delete a webhook and its deliveries' }, webhooks.remove);
  registerRotation(routes.others, deps);
}

function registerRotation(routes: Routes, { webhooks }: WebhookRoutesDeps): void {
  routes.post(
    '/api/webhooks/:id/rotate-secret',
    {
      id: 'rotateWebhookSecret',
      summary: 'Create a new secret, shown once; the previous one also signs for overlap_seconds',
      body: rotation,
      answer: issuedRecord,
      errors: ['CONFLICT'],
      sends: ['ETag'],
      idempotent: 'secret',
    },
    async (request, reply) => {
      const { overlap_seconds } = request.body;
      const { row, secret } = await webhooks.rotateSecret(
        request.params.id,
        overlap_seconds,
        actorOf(request),
      );
      setEtag(reply, row.version);
      return { ...toWebhook(row), secret };
    },
  );
}
