import { OutboundError } from '../../../base/outbound/outbound-error.ts';
import { storableText } from '../../../store/storable-text.ts';
import { type SignedMessage, signatureHeaders } from '../webhook-secret.ts';
import { type Attempt, readRetryAfter } from './webhook-delivery.ts';

const RESPONSE_BYTES_KEPT = 1_024;
const ERROR_LENGTH_MAX = 500;
const USER_AGENT = 'Headgate-Webhooks';

export interface SendDeps {
  readonly fetch: typeof globalThis.fetch;
  /** For one attempt, from the name lookup to the stored part of the answer. */
  readonly timeoutMs: number;
  /** Milliseconds; for durations and dates. */
  readonly now: () => number;
}

export interface Sending {
  readonly url: string;
  readonly message: SignedMessage;
  readonly secrets: readonly string[];
  /** Aborts the attempt, which then rejects: that says nothing about the receiver. */
  readonly signal: AbortSignal;
}

/** One attempt. Resolves for every answer and every failure of the receiver; redirects are not followed. */
export async function sendWebhook({ fetch, timeoutMs, now }: SendDeps, sending: Sending): Promise<Attempt> {
  const startedAt = now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const outcome = (part: Pick<Attempt, 'ok' | 'status' | 'body' | 'error'> & Partial<Attempt>): Attempt => ({
    retryAfterMs: null,
    durationMs: Math.max(0, now() - startedAt),
    ...part,
  });
  let status: number | null = null;
  try {
    const response = await fetch(sending.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        ...signatureHeaders(sending.message, sending.secrets),
      },
      body: sending.message.body,
      signal: AbortSignal.any([sending.signal, timeout]),
    });
    status = response.status;
    const body = storableText(await readStart(response), RESPONSE_BYTES_KEPT);
    if (response.ok) return outcome({ ok: true, status, body, error: null });
    const redirect = status >= 300 && status < 400 ? ': redirects are not followed' : '';
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now());
    return outcome({ ok: false, status, body, error: `It answered ${status}${redirect}`, retryAfterMs });
  } catch (error) {
    sending.signal.throwIfAborted();
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
