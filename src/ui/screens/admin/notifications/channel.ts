import type { components } from '../../../../client/openapi-types.ts';

export type Channel = components['schemas']['Channel'];
export type ChannelKind = Channel['kind'];
export const channelKinds = ['email', 'slack', 'teams'] as const satisfies readonly ChannelKind[];

/** Stands for a stored secret, and keeps it when it is written back. */
const secretMask = '********';

/** The settings of mail as they are typed. */
export interface MailDraft {
  readonly host: string;
  readonly port: string;
  readonly security: NonNullable<Channel['email']>['security'];
  readonly username: string;
  /** Empty: the stored one. */
  readonly password: string;
  readonly from: string;
  /** One address on each line. */
  readonly to: string;
  readonly ca: string;
}

/** The port that a kind of encryption usually has. */
export const usualPorts = { tls: '465', starttls: '587', none: '25' } as const;

export function mailDraftOf(channel: Channel | null): MailDraft {
  const mail = channel?.email ?? null;
  if (mail === null) {
    const empty = { host: '', username: '', password: '', from: '', to: '', ca: '' };
    return { ...empty, port: usualPorts.tls, security: 'tls' };
  }
  return {
    host: mail.host,
    port: String(mail.port),
    security: mail.security,
    username: mail.username ?? '',
    password: '',
    from: mail.from,
    to: mail.to.join('\n'),
    ca: mail.ca ?? '',
  };
}

/** As a request has it. `isStored`: there is a password to keep. */
export function mailBody(draft: MailDraft, isStored: boolean) {
  const { port, username, password, to, ca, ...mail } = draft;
  const kept = isStored ? secretMask : null;
  return {
    ...mail,
    port: Number(port),
    username: username === '' ? null : username,
    password: username === '' ? null : password === '' ? kept : password,
    to: to.split(/[\n,;]+/).flatMap((line) => line.trim() || []),
    ca: ca.trim() === '' ? null : ca,
  };
}
