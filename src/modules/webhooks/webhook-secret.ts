import { createHmac, randomBytes } from 'node:crypto';
import type { Cipher } from '../../base/cipher.ts';
import type { WebhookRow } from './webhook.ts';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

type SecretName = 'secret' | 'previous_secret';
type Sealed = Partial<Record<SecretName, string>>;

/** A new signing secret in the form of Standard Webhooks: `whsec_` and Base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * The column of a webhook's secrets, each encrypted for its place, `webhook/<id>/<name>`: a ciphertext that is moved to another
 * webhook or name does not decrypt.
 */
export function sealSecrets(
  cipher: Cipher,
  id: number,
  secrets: { readonly secret: string; readonly previous: string | null },
): string {
  const sealed: Sealed = { secret: cipher.encrypt(secrets.secret, webhookSecretContext(id, 'secret')) };
  if (secrets.previous !== null)
    sealed.previous_secret = cipher.encrypt(secrets.previous, webhookSecretContext(id, 'previous_secret'));
  return JSON.stringify(sealed);
}

/** The secrets that sign at `now`, newest first: two during the overlap of a rotation. */
export function signingSecrets(
  cipher: Cipher,
  row: Pick<WebhookRow, 'id' | 'secrets_json' | 'previous_secret_until'>,
  now: number,
): string[] {
  const sealed = JSON.parse(row.secrets_json) as Sealed;
  const overlaps = row.previous_secret_until !== null && now < row.previous_secret_until;
  const names: SecretName[] = overlaps ? ['secret', 'previous_secret'] : ['secret'];
  return names.flatMap((name) => {
    const text = sealed[name];
    return text === undefined ? [] : [cipher.decrypt(text, webhookSecretContext(row.id, name))];
  });
}

export interface SignedMessage {
  readonly eventId: string;
  /** The time of the attempt, in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of Standard Webhooks, with one signature for each secret. */
export function signatureHeaders(
  { eventId, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

/** What a secret of a webhook is encrypted for. */
export function webhookSecretContext(id: number, name: string): string {
  return `webhook/${id}/${name}`;
}
