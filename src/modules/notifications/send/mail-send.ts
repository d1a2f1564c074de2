import { Socket } from 'node:net';
import type { Outbound } from '../../../base/outbound/outbound.ts';
import { outboundErrorIn } from '../../../base/outbound/outbound-error.ts';
import { storableText } from '../../../store/storable-text.ts';
import type { Attempt } from '../../webhooks/delivery/webhook-delivery.ts';
import { type MailSettings, mailUrl } from '../channel.ts';

const RESPONSE_LENGTH_KEPT = 1_024;
const RESPONSE_BYTES_MAX = 65_536;
const SENDER_NAME = 'Headgate';

const TLS_FAILED =
  'TLS with the mail server failed: the certificate must be for its name and trusted, and the security must fit the port';

/** What went wrong, by the code of the mail library. Nothing else of its messages is kept: they name hosts and addresses. */
const FAULTS: Readonly<Record<string, string>> = {
  EAUTH: 'The mail server refused the sign-in',
  ENOAUTH: 'The mail server wants a user name and a password',
  ETLS: TLS_FAILED,
  EENVELOPE: 'The mail server refused the sender or a receiver',
  EMESSAGE: 'The mail server refused the message',
  ETIMEDOUT: 'The mail server did not answer in time',
};
const OTHER_FAULT = 'The mail server cannot be reached, or ended the connection';

/** Faults of certificates that TLS itself reports. */
const TLS_FAULT = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

export interface Mail {
  readonly settings: MailSettings;
  /** Null for a server that wants no sign-in. */
  readonly password: string | null;
  /** The same in every attempt, so that a mail that comes twice can be recognized. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly signal: AbortSignal;
}

export interface MailSendDeps {
  readonly outbound: Pick<Outbound, 'checkUrl' | 'lookup'>;
  /** For one attempt, from the name lookup to the server's last answer. */
  readonly timeoutMs: number;
}

/**
 * One attempt over SMTP, through a socket that goes only where the outbound rules let it. Resolves for every answer and failure
 * of the server; rejects where `signal` aborts it. The status is that of SMTP.
 */
export async function sendMail({ outbound, timeoutMs }: MailSendDeps, mail: Mail): Promise<Attempt> {
  const startedAt = Date.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([mail.signal, timeout]);
  const outcome = (part: Pick<Attempt, 'ok' | 'status' | 'body' | 'error'>): Attempt => ({
    ...part,
    retryAfterMs: null,
    durationMs: Math.max(0, Date.now() - startedAt),
  });
  const { settings, id, subject, text, html } = mail;
  let socket: Socket | null = null;
  try {
    // Loaded for the first mail: most servers never send one.
    const { createTransport } = await import('nodemailer');
    socket = await connected(outbound, settings, signal);
    const transport = createTransport({ ...optionsOf(mail), connection: socket });
    const sent = await transport.sendMail({
      from: { name: SENDER_NAME, address: settings.from },
      to: [...settings.to],
      subject,
      text,
      html,
      messageId: `<${id}@${settings.from.split('@')[1] ?? 'headgate'}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    });
    // Those that are refused alone do not make the rest fail: the answer names them.
    const answer = storableText(sent.response, RESPONSE_LENGTH_KEPT);
    return outcome({ ok: true, status: statusOf(sent.response), body: answer, error: null });
  } catch (error) {
    mail.signal.throwIfAborted();
    if (timeout.aborted)
      return outcome({
        ok: false,
        status: null,
        body: null,
        error: `The mail server did not answer within ${timeoutMs} ms`,
      });
    const { code, response, responseCode } = error as Partial<Record<string, unknown>>;
    const body = typeof response === 'string' ? storableText(response, RESPONSE_LENGTH_KEPT) : null;
    const status = typeof responseCode === 'number' ? responseCode : null;
    return outcome({ ok: false, status, body, error: faultOf(error, String(code ?? '')) });
  } finally {
    socket?.destroy();
  }
}

function optionsOf({ settings, password }: Mail) {
  const { host, port, security, username, ca } = settings;
  return {
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    maxResponseSize: RESPONSE_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(username === null ? {} : { auth: { user: username, pass: password ?? '' } }),
    ...(ca === null ? {} : { tls: { ca: [ca] } }),
  };
}

/** Literals are judged here, and names by the address that the look-up finds. */
async function connected(
  outbound: MailSendDeps['outbound'],
  { host, port }: MailSettings,
  signal: AbortSignal,
): Promise<Socket> {
  outbound.checkUrl(mailUrl({ host, port }));
  const socket = new Socket();
  const stop = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.connect({ host, port, lookup: outbound.lookup(host, port) }, resolve);
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return socket;
}

function faultOf(error: unknown, code: string): string {
  const refused = outboundErrorIn(error);
  if (refused !== null) return refused.message;
  // Of a socket's fault the library keeps the code that the system or TLS gave.
  const original = String((error as { readonly originalCode?: unknown }).originalCode ?? '');
  if (TLS_FAULT.test(code) || TLS_FAULT.test(original)) return TLS_FAILED;
  return FAULTS[code] ?? OTHER_FAULT;
}

/** `250` of `250 2.0.0 Ok`; null where it is none. */
function statusOf(response: string): number | null {
  const digits = /^\d{3}/.exec(response)?.[0];
  return digits === undefined ? null : Number(digits);
}
