import { SECRET_MASK } from '../definitions/sealed-config.ts';
import { type ChannelKind, toReceiver, type WebhookRow } from '../webhooks/webhook.ts';

/** How the connection to a mail server is secured: from its first byte, by STARTTLS, or not at all. */
export const MAIL_SECURITIES = ['tls', 'starttls', 'none'] as const;

/** A channel of mail, without its password. */
export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof MAIL_SECURITIES)[number];
  /** Null: the server needs no sign-in. */
  readonly username: string | null;
  readonly from: string;
  readonly to: readonly string[];
  /** Certificates in PEM that are trusted in place of those of the system; null: those. */
  readonly ca: string | null;
}

/** Null for a channel of another kind. */
export function mailOf(row: Pick<WebhookRow, 'kind' | 'settings_json'>): MailSettings | null {
  return row.kind === 'email' ? (JSON.parse(row.settings_json) as MailSettings) : null;
}

/** A mail server as the outbound rules judge it before its name is looked up. */
export function mailUrl({ host, port }: Pick<MailSettings, 'host' | 'port'>): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The channel as the API returns it: its secrets masked, and of its address as much as is none. */
export function toChannel(row: WebhookRow) {
  const mail = mailOf(row);
  return {
    ...toReceiver(row),
    kind: row.kind as ChannelKind,
    target: row.url,
    url: mail === null ? SECRET_MASK : null,
    email: mail === null ? null : { ...mail, to: [...mail.to], password: passwordOf(row) },
  };
}

function passwordOf({ secrets_json }: WebhookRow): string | null {
  return 'password' in (JSON.parse(secrets_json) as object) ? SECRET_MASK : null;
}
