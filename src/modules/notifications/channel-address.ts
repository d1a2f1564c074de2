import type { Cipher } from '../../base/cipher.ts';
import { validationError } from '../../base/errors.ts';
import type { Outbound } from '../../base/outbound/outbound.ts';
import { SECRET_MASK } from '../definitions/sealed-config.ts';
import { type ReceiverInput, requireReachable } from '../webhooks/receiver-changes.ts';
import type { ChannelKind, WebhookRow } from '../webhooks/webhook.ts';
import { type MailSettings, mailOf, mailUrl } from './channel.ts';
import { openChannelSecret } from './channel-secret.ts';

/** Settings of mail as a caller gives them. The mask keeps the stored password. */
export type MailInput = MailSettings & { readonly password: string | null };

export interface ChannelInput extends Omit<ReceiverInput, 'url'> {
  /** Of Slack and Teams; the mask, or nothing on a change, keeps the stored one. */
  readonly url?: string | undefined;
  readonly email?: MailInput | undefined;
}

export interface ChannelAddressDeps {
  readonly cipher: Cipher;
  readonly checkUrl: Outbound['checkUrl'];
}

/** The address of a channel: what is shown of it, what is stored in clear, and its secret. */
export function channelAddress(
  { cipher, checkUrl }: ChannelAddressDeps,
  kind: ChannelKind,
  input: ChannelInput,
  before: WebhookRow | null,
) {
  const name = kind === 'email' ? ('password' as const) : ('url' as const);
  const stored = before === null ? null : openChannelSecret(cipher, before, name);
  if (kind === 'email') {
    if (input.url !== undefined) throw problem('url', 'A channel of mail has "email", not "url"');
    const known = before === null ? null : mailOf(before);
    const { password, ...settings } = input.email ?? { ...known, password: SECRET_MASK };
    const mail = settings as MailSettings;
    if (input.email === undefined && known === null)
      throw problem('email', 'A channel of mail needs "email"');
    if (password === SECRET_MASK && stored !== null) requireSameServer(known, mail);
    const secret = password === SECRET_MASK ? stored : password;
    checkMail(checkUrl, mail, secret);
    return { name, secret, target: `${mail.host}:${mail.port}`, settings_json: JSON.stringify(mail) };
  }
  if (input.email !== undefined) throw problem('email', `A channel of ${kind} has "url", not "email"`);
  const url = input.url === undefined || input.url === SECRET_MASK ? stored : input.url;
  if (url === null) throw problem('url', `A channel of ${kind} needs "url": the address of its webhook`);
  requireReachable(checkUrl, url);
  return { name, secret: url, target: new URL(url).host, settings_json: '{}' };
}

/** Nobody sends a stored password to a server of their own. Throws where the new settings lead elsewhere. */
function requireSameServer(known: MailSettings | null, mail: MailSettings): void {
  const keys = ['host', 'port', 'security', 'username'] as const;
  if (keys.every((key) => known?.[key] === mail[key])) return;
  throw problem('email.password', 'Give the password again: the channel is to sign in elsewhere');
}

function checkMail(checkUrl: Outbound['checkUrl'], mail: MailSettings, password: string | null): void {
  const { security, username } = mail;
  requireReachable(checkUrl, mailUrl(mail), 'email.host');
  if ((username === null) !== (password === null))
    throw problem('email.password', 'Give a user name with its password, or neither');
  if (password !== null && security === 'none')
    throw problem('email.security', 'A password is not sent without TLS: choose "tls" or "starttls"');
}

function problem(path: string, message: string) {
  return validationError([{ path, message }]);
}
