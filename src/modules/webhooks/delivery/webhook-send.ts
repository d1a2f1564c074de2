import type { Cipher } from '../../../base/cipher.ts';
import { OutboundError } from '../../../base/outbound/outbound-error.ts';
import { storableText } from '../../../store/storable-text.ts';
import type { WebhookRow } from '../webhook.ts';
import { signatureHeaders, signingSecrets } from '../webhook-secret.ts';
import { type Attempt, readRetryAfter } from './webhook-delivery.ts';

const RESPONSE_BYTES_KEPT = 1_024;
const ERROR_LENGTH_MAX = 500;
const USER_AGENT = 'Headgate-Webhooks';

/** A delivery as a sender gets it. */
export interface OutboxMessage {
  readonly eventId: string;
  readonly event: string;
  readonly body: string;
  /** The time of the attempt, in milliseconds, by the store's clock. */
  readonly at: number;
}

/**
 * One attempt to tell a receiver. Resolves for every answer and every failure of the receiver; rejects where `signal` aborts it,
 * which says nothing about the receiver.
 */
export type SendDelivery = (
  receiver: WebhookRow,
  message: OutboxMessage,
  signal: AbortSignal,
) => Promise<Attempt>;

export interface SendDeps {
  readonly cipher: Cipher;
  readonly fetch: typeof globalThis.fetch;
  /** For one attempt, from the name lookup to the stored part of the answer. */
  readonly timeoutMs: number;
}

/** Sends signed messages, as Standard Webhooks wants them. */
export function createWebhookSender({ cipher, ...deps }: SendDeps): SendDelivery {
  return async (webhook, { eventId, body, at }, signal) => {
    const secrets = signingSecrets(cipher, webhook, at);
    const headers = signatureHeaders({ eventId, timestamp: Math.floor(at / 1_000), body }, secrets);
    return post(deps, { url: webhook.url, body, headers, signal });
  };
}

export interface Posting {
  readonly url: string;
  readonly body: string;
  /** Besides the content type and the user agent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One attempt over HTTP; redirects are not followed. */
export async function post(
  { fetch, timeoutMs }: Pick<SendDeps, 'fetch' | 'timeoutMs'>,
  { url, body, headers, signal }: Posting,
): Promise<Attempt> {
  const startedAt = Date.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const outcome = (part: Pick<Attempt, 'ok' | 'status' | 'body' | 'error'> & Partial<Attempt>): Attempt => ({
    retryAfterMs: null,
    durationMs: Math.max(0, Date.now() - startedAt),
    ...part,
  });
  let status: number | null = null;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
      body,
      signal: AbortSignal.any([signal, timeout]),
    });
    status = response.status;
    const answer = storableText(await readStart(response), RESPONSE_BYTES_KEPT);
    if (response.ok) return outcome({ ok: true, status, body: answer, error: null });
    const redirect = status >= 300 && status < 400 ? ': redirects are not followed' : '';
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
    const error = `It answered ${status}${redirect}`;
    return outcome({ ok: false, status, body: answer, error, retryAfterMs });
  } catch (error) {
    signal.throwIfAborted();
    // The status counts even if the body broke off.
    if (status !== null && status >= 200 && status < 300)
      return outcome({ ok: true, status, body: null, error: null });
    const message = timeout.aborted ? `It did not answer within ${timeoutMs} ms` : messageFor(error);
    return outcome({ ok: false, status, body: null, error: storableText(message, ERROR_LENGTH_MAX) });
  }
}

/** The first bytes of the body as text; the rest is not read. */
async function readStart(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && bytes < RESPONSE_BYTES_KEPT) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    bytes += value.byteLength;
  }
  await reader?.cancel().catch(() => undefined);
  return Buffer.concat(pieces).subarray(0, RESPONSE_BYTES_KEPT).toString();
}

function messageFor(error: unknown): string {
  return error instanceof OutboundError ? error.message : 'The attempt failed';
}
