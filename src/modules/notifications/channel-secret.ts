import type { Cipher } from '../../base/cipher.ts';
import type { WebhookRow } from '../webhooks/webhook.ts';
import { webhookSecretContext } from '../webhooks/webhook-secret.ts';

/** The secret that a channel needs: the address of Slack and Teams, which lets anybody write there, or a mail server's password. */
export type ChannelSecret = 'url' | 'password';

/** The column of a channel's secrets; null for none. */
export function sealChannelSecret(
  cipher: Cipher,
  id: number,
  name: ChannelSecret,
  secret: string | null,
): string {
  const sealed = secret === null ? {} : { [name]: cipher.encrypt(secret, webhookSecretContext(id, name)) };
  return JSON.stringify(sealed);
}

/** Null where it has none. */
export function openChannelSecret(
  cipher: Cipher,
  row: Pick<WebhookRow, 'id' | 'secrets_json'>,
  name: ChannelSecret,
): string | null {
  const sealed = (JSON.parse(row.secrets_json) as Partial<Record<ChannelSecret, string>>)[name];
  return sealed === undefined ? null : cipher.decrypt(sealed, webhookSecretContext(row.id, name));
}
