import type { Cipher } from '../../../base/cipher.ts';
import type { Outbound } from '../../../base/outbound/outbound.ts';
import { post, type SendDelivery } from '../../webhooks/delivery/webhook-send.ts';
import type { ChannelKind } from '../../webhooks/webhook.ts';
import { mailOf } from '../channel.ts';
import { openChannelSecret } from '../channel-secret.ts';
import { type ChannelPayload, type Notice, noticeOf } from '../notice.ts';
import { sendMail } from './mail-send.ts';
import { mailTexts } from './mail-text.ts';
import { slackMessage } from './slack-message.ts';
import { teamsCard } from './teams-card.ts';

export interface ChannelSendersDeps {
  readonly cipher: Cipher;
  readonly outbound: Pick<Outbound, 'fetch' | 'checkUrl' | 'lookup'>;
  /** For one attempt. */
  readonly timeoutMs: number;
  /** The address of the page; null where the settings have none: then messages hold no link. */
  readonly publicUrl: string | null;
}

/** How each kind of channel is told. */
export function createChannelSenders({
  cipher,
  outbound,
  timeoutMs,
  publicUrl,
}: ChannelSendersDeps): Readonly<Record<ChannelKind, SendDelivery>> {
  const noticeIn = (body: string): Notice => noticeOf(JSON.parse(body) as ChannelPayload, publicUrl);

  function posting(bodyFor: (notice: Notice) => string): SendDelivery {
    return async (channel, { body }, signal) => {
      const url = openChannelSecret(cipher, channel, 'url') ?? '';
      const deps = { fetch: outbound.fetch, timeoutMs };
      return post(deps, { url, body: bodyFor(noticeIn(body)), headers: {}, signal });
    };
  }

  const email: SendDelivery = async (channel, { eventId, body }, signal) => {
    const settings = mailOf(channel);
    if (settings === null) throw new Error(`the channel ${channel.id} has no settings of mail`);
    const notice = noticeIn(body);
    const password = openChannelSecret(cipher, channel, 'password');
    const mail = { settings, password, id: eventId, subject: notice.title, ...mailTexts(notice), signal };
    return sendMail({ outbound, timeoutMs }, mail);
  };

  return { email, slack: posting(slackMessage), teams: posting(teamsCard) };
}
