import { errors, Pool } from 'undici';
import { AppError } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { ExecutorIdentity } from '../control-plane.ts';
import type { HttpClientLimits } from './http-client-limits.ts';
import { errorOfAnswer, UnreachableError } from './http-error.ts';

/** PEM text. `cert` and `key` together prove the executor to a proxy that asks for it (mTLS). */
export interface HttpClientTls {
  /** The authority that signed the server's certificate; the system's where it is left out. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** The name in the server's certificate, where it is not the address's host. */
  readonly serverName?: string;
}

export interface HttpTransportOptions {
  /** `http://HOST:PORT` or `https://HOST`, with a path where the control plane is served below one. */
  readonly baseUrl: string;
  readonly key: string;
  readonly tls: HttpClientTls | undefined;
  readonly limits: HttpClientLimits;
}

export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** From `/api` on. */
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Goes by the connections for batches. */
  readonly batch?: boolean;
  /** Proves the executor too; false for registering alone. */
  readonly session: boolean;
  /** Gives the call up. */
  readonly signal?: AbortSignal;
  /** Default `callMs`. */
  readonly timeoutMs?: number;
}

/** What a header can carry and a server gives back unchanged. */
const VISIBLE = /^[\x21-\x7e]{1,512}$/;

/** HTTP requests to one control plane with the executor's credentials on each, over connections that are kept. */
export class HttpTransport {
  readonly #options: HttpTransportOptions;
  readonly #prefix: string;
  readonly #control: Pool;
  readonly #batches: Pool;
  readonly #closed = new AbortController();
  #identity: ExecutorIdentity | null = null;

  constructor(options: HttpTransportOptions) {
    this.#options = options;
    const { limits, tls = {} } = options;
    const { origin, pathname } = new URL(options.baseUrl);
    this.#prefix = pathname.replace(/\/+$/, '');
    const { serverName, ...pem } = tls;
    const pool = (connections: number) =>
      new Pool(origin, {
        connections,
        pipelining: 1,
        allowH2: false,
        headersTimeout: 0,
        bodyTimeout: 0,
        maxResponseSize: limits.messageBytesMax,
        connect: {
          ...pem,
          ...(serverName === undefined ? {} : { servername: serverName }),
          timeout: limits.connectMs,
        },
      });
    this.#control = pool(limits.controlConnectionsMax);
    this.#batches = pool(limits.batchConnectionsMax);
  }

  /** `PRECONDITION_FAILED` before `identify`, `NOT_READY` after `close`. */
  get identity(): ExecutorIdentity {
    if (this.#closed.signal.aborted) throw new AppError('NOT_READY', 'The client is closed');
    if (this.#identity !== null) return this.#identity;
    throw new AppError('PRECONDITION_FAILED', 'Call "register" before anything else');
  }

  /** Every call from now on is this executor's. */
  identify(identity: ExecutorIdentity): void {
    this.#identity = identity;
  }

  /** Throws what is wrong with a call before it is sent: `PAYLOAD_TOO_LARGE`, `PRECONDITION_FAILED`, `NOT_READY`. */
  check(call: HttpCall): void {
    this.#headers(call);
    if (call.body !== undefined) requireSize(call.body, this.#options.limits.messageBytesMax);
  }

  /** The answer's JSON, undefined where it has none. Rejects with the `AppError` that the control plane meant. */
  async call(call: HttpCall): Promise<unknown> {
    const { limits } = this.#options;
    const { body, timeoutMs = limits.callMs } = call;
    const headers = this.#headers(call);
    if (body !== undefined) requireSize(body, limits.messageBytesMax);
    const given = new AbortController();
    const giveUp = () => given.abort();
    const signals = [this.#closed.signal, ...(call.signal === undefined ? [] : [call.signal])];
    for (const signal of signals) {
      signal.addEventListener('abort', giveUp, { once: true });
      if (signal.aborted) giveUp();
    }
    const timer = setTimeout(giveUp, timeoutMs);
    try {
      const answer = await (call.batch ? this.#batches : this.#control).request({
        method: call.method,
        path: `${this.#prefix}${call.path}`,
        headers,
        signal: given.signal,
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.body.text();
      const status = answer.statusCode;
      if (status >= 300) throw errorOfAnswer(status, text, answer.headers['retry-after']);
      return text === '' ? undefined : parsed(text);
    } catch (cause) {
      throw failureOf(cause, signals);
    } finally {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', giveUp);
    }
  }

  /** Gives up what is under way and closes the connections. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all([this.#control.destroy(), this.#batches.destroy()]);
  }

  #headers({ session, body, headers }: HttpCall): Record<string, string> {
    const { key } = this.#options;
    if (this.#closed.signal.aborted) throw new AppError('NOT_READY', 'The client is closed');
    if (!VISIBLE.test(key)) {
      throw new AppError('AUTH_ERROR', 'The executor key is empty, or has characters that cannot be sent');
    }
    const sent: Record<string, string> = { ...headers, authorization: `Bearer ${key}` };
    if (body !== undefined) sent['content-type'] = 'application/json';
    if (session) {
      const { executor_id, session_token } = this.identity;
      sent['x-executor-id'] = String(executor_id);
      sent['x-session-token'] = session_token;
    }
    for (const [name, value] of Object.entries(sent)) {
      if (VISIBLE.test(value) || name === 'authorization') continue;
      throw new AppError('VALIDATION_ERROR', `The header "${name}" has characters that cannot be sent`);
    }
    return sent;
  }
}

function requireSize(body: string, bytesMax: number): void {
  const bytes = Buffer.byteLength(body);
  if (bytes <= bytesMax) return;
  throw new AppError('PAYLOAD_TOO_LARGE', `The message has "${bytes}" bytes; send at most ${bytesMax}`);
}

function parsed(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (cause) {
    throw new AppError('INTERNAL_ERROR', 'The control plane sent an unexpected response', { cause });
  }
}

/** The transport's own errors may name hosts, so they are kept as the cause alone. */
function failureOf(cause: unknown, signals: readonly AbortSignal[]): AppError {
  if (cause instanceof AppError) return cause;
  if (cause instanceof errors.ResponseExceededMaxSizeError) {
    return new AppError('PAYLOAD_TOO_LARGE', 'The answer is larger than an executor accepts', { cause });
  }
  if (signals.some((signal) => signal.aborted)) return new UnreachableError('The call was aborted', cause);
  const late = cause instanceof Error && cause.name === 'AbortError';
  const message = late ? 'did not answer in time' : 'cannot be reached';
  return new UnreachableError(`The control plane ${message}; try again`, cause);
}
