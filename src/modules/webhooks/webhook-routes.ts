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
import { receiverExample, receiverRecord, wantedInput } from './receiver-fields.ts';
import { toWebhook, type WebhookRow } from './webhook.ts';
import type { Webhooks } from './webhook-service.ts';
import { selectWebhook, selectWebhooks } from './webhook-store.ts';

const OVERLAP_SECONDS_MAX = 7 * 86_400;
const OVERLAP_SECONDS_DEFAULT = 86_400;

const example = {
  ...receiverExample,
  url: 'https://alerts.example.com/headgate',
  previous_secret_until: null,
};

const webhookRecord = z
  .object({
    ...receiverRecord,
    url: z.string(),
    previous_secret_until: z
      .string()
      .nullable()
      .describe('Until then, messages are also signed with the previous secret'),
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
const webhookInput = z.strictObject({ name: nameField, url, ...wantedInput });
const webhookChange = z.strictObject({
  ...wantedInput,
  name: nameField.optional(),
  url: url.optional(),
  events: wantedInput.events.optional(),
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
