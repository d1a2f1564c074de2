import { z } from 'zod';
import { member } from '../../http/access.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import { queryFlag } from '../../http/query-flag.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { nameField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { SECRET_MASK } from '../definitions/sealed-config.ts';
import {
  deliveryExample,
  deliveryFields,
  registerDeliveryRoutes,
} from '../webhooks/delivery/delivery-routes.ts';
import { type DeliveryRow, toDelivery } from '../webhooks/delivery/webhook-delivery.ts';
import type { WebhookRedelivery } from '../webhooks/delivery/webhook-redelivery.ts';
import { receiverExample, receiverRecord, wantedInput } from '../webhooks/receiver-fields.ts';
import { CHANNEL_KINDS, type WebhookRow } from '../webhooks/webhook.ts';
import { MAIL_SECURITIES, toChannel } from './channel.ts';
import type { Channels } from './channel-service.ts';
import { selectChannel, selectChannels } from './channel-store.ts';
import { type ChannelPayload, noticeOf } from './notice.ts';

const TO_MAX = 50;
const PEM_LENGTH_MAX = 100_000;

const kindField = z
  .enum(CHANNEL_KINDS)
  .describe('email: mail by SMTP. slack: an incoming webhook of Slack. teams: a workflow of Microsoft Teams');

const mailFields = {
  host: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\s/@?#]+$/, 'Give a host name or an address')
    .meta({ examples: ['smtp.example.com'] }),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .meta({ examples: [465] }),
  security: z
    .enum(MAIL_SECURITIES)
    .describe(
      'tls: from the first byte, usually port 465. starttls: usually port 587. none: only without a password',
    ),
  username: z.string().min(1).max(255).nullable().default(null).describe('Null: the server needs no sign-in'),
  password: z
    .string()
    .min(1)
    .max(1_000)
    .nullable()
    .default(null)
    .describe(`Never returned: ${SECRET_MASK} stands for it, and keeps it when it is written back`),
  from: z
    .email()
    .max(254)
    .describe('The sender')
    .meta({ examples: ['headgate@example.com'] }),
  to: z
    .array(z.email().max(254))
    .min(1)
    .max(TO_MAX)
    .describe('The receivers')
    .meta({ examples: [['ops@example.com']] }),
  ca: z
    .string()
    .max(PEM_LENGTH_MAX)
    .regex(/-----BEGIN CERTIFICATE-----/, 'Give certificates in PEM')
    .nullable()
    .default(null)
    .describe('PEM certificates to trust instead of the system’s; null: the system’s'),
};
const mailInput = z.strictObject(mailFields).meta({ id: 'MailInput' });
const mailRecord = z.object(mailFields).meta({ id: 'MailSettings' });

const example = {
  ...receiverExample,
  kind: 'slack',
  target: 'hooks.slack.com',
  url: SECRET_MASK,
  email: null,
};

const channelRecord = z
  .object({
    ...receiverRecord,
    kind: kindField,
    target: z.string().describe('The destination host'),
    url: z.string().nullable().describe(`${SECRET_MASK}; null for a channel of mail`),
    email: mailRecord.nullable(),
  })
  .meta({ id: 'Channel', examples: [example] });

const url = z
  .string()
  .min(1)
  .max(2_048)
  .describe(
    `The address of the incoming webhook or workflow, for slack and teams. It is a secret: ${SECRET_MASK} keeps the stored one`,
  )
  .meta({ examples: ['https://hooks.slack.com/services/T0/B0/x'] });
const address = { url: url.optional(), email: mailInput.optional().describe('For email') };
const channelInput = z.strictObject({ kind: kindField, name: nameField, ...wantedInput, ...address }).meta({
  examples: [
    {
      kind: 'slack',
      name: 'on call',
      url: 'https://hooks.slack.com/services/T0/B0/x',
      events: ['run.failing', 'run.recovered'],
    },
  ],
});
const channelChange = z.strictObject({
  ...wantedInput,
  name: nameField.optional(),
  events: wantedInput.events.optional(),
  ...address,
});

const listQuery = pageQuery.extend({
  sort: definitionSort,
  kind: kindField.optional(),
  enabled: queryFlag.optional(),
});

const group = {
  path: '/api/notifications/channels',
  name: 'Channel',
  noun: 'channel',
  tag: 'Notifications',
  read: member('admin', 'notifications:read'),
  write: member('admin', 'notifications:write'),
};

export interface ChannelRoutesDeps {
  readonly store: Store;
  readonly channels: Channels;
  readonly channelRedelivery: WebhookRedelivery;
  /** The address of the page, for links in messages. */
  readonly publicUrl: string | null;
}

export function registerChannelRoutes(app: App, deps: ChannelRoutesDeps): void {
  const { store, channels } = deps;
  const routes = new RecordRoutes<WebhookRow>(app, { ...group, answer: channelRecord, show: toChannel });
  routes.list({ summary: 'Notification channels, newest first', query: listQuery }, ({ query }, paging) =>
    selectChannels(store.read, query, paging),
  );
  routes.get({ summary: 'One channel' }, (id) => selectChannel(store.read, id));
  routes.create(
    { summary: 'Create a channel', body: channelInput, errors: ['CONFLICT'] },
    ({ body: { kind, ...input } }, actor) => channels.create(kind, input, actor),
  );
  routes.update(
    {
      summary: 'Change a channel; keys that are left out keep their value',
      description: 'Disabling a channel fails its pending deliveries; they can be resent later.',
      body: channelChange,
    },
    ({ params, body }, expected, actor) => channels.update(params.id, body, expected, actor),
  );
  routes.remove({ summary: 'Delete a channel and its deliveries' }, channels.remove);
  registerDeliveries(app, deps);
}

const deliveryRecord = z
  .object({ ...deliveryFields, channel_id: z.number().int() })
  .meta({ id: 'ChannelDelivery', examples: [{ ...deliveryExample, channel_id: 3 }] });

const wholeDelivery = deliveryRecord
  .extend({
    title: z.string(),
    facts: z.array(z.object({ label: z.string(), value: z.string() })).describe('What, where and when'),
    message: z.string().nullable().describe('Why: the first error message'),
    link: z.string().nullable().describe('The page to look at; null without SVC_PUBLIC_URL'),
    response_body: z.string().nullable().describe('The beginning of the last attempt’s response'),
  })
  .meta({
    id: 'WholeChannelDelivery',
    examples: [
      {
        ...deliveryExample,
        channel_id: 3,
        title: 'The job “orders of Acme” is failing',
        facts: [
          { label: 'Task', value: 'load-orders' },
          { label: 'Step', value: 'load' },
        ],
        message: 'CONNECTOR_ERROR: column "total" does not exist',
        link: 'https://headgate.example.com/job-runs/31',
        response_body: 'ok',
      },
    ],
  });

function registerDeliveries(app: App, { store, channelRedelivery, publicUrl }: ChannelRoutesDeps): void {
  const show = (row: DeliveryRow) => ({ ...toDelivery(row), channel_id: row.webhook_id });
  const showWhole = (row: DeliveryRow) => {
    const { title, facts, message, link } = noticeOf(JSON.parse(row.body) as ChannelPayload, publicUrl);
    const shown = facts.map(([label, value]) => ({ label, value }));
    return { ...show(row), title, facts: shown, message, link, response_body: row.response_body };
  };
  const spec = {
    ...group,
    answer: deliveryRecord,
    wholeAnswer: wholeDelivery,
    show,
    showWhole,
    find: selectChannel,
  };
  registerDeliveryRoutes(app, spec, { store, redelivery: channelRedelivery });
}
