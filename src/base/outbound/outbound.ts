import type { LookupFunction, Socket } from 'node:net';
import { GuardedSocket, guardedLookup, resolveBySystem } from './guarded-socket.ts';
import type { GuardedWay } from './guarded-way.ts';
import type { OutboundAnswer, OutboundRequest } from './outbound-answer.ts';
import { OutboundError, outboundErrorIn, tooLarge } from './outbound-error.ts';
import { OUTBOUND_LIMITS, type OutboundLimits, type ResolveAll } from './outbound-limits.ts';
import { hostOf, type OutboundRules, requireUrl } from './outbound-policy.ts';
import { knownReason } from './unreachable.ts';

export interface OutboundDeps {
  readonly rules: OutboundRules;
  readonly limits?: Partial<OutboundLimits>;
  /** Default: the system's. */
  readonly resolve?: ResolveAll;
}

/** The way out for every URL that a user gives. */
export interface Outbound {
  /**
   * As the platform's `fetch`, over http and https. Every connection, that of a redirect too, is judged by the address that it
   * goes to, right before it is made: a name that changes its address in between gains nothing. Follows no redirect unless
   * `redirect: 'follow'` is asked for. Rejects with `OutboundError`, or with the reason of the caller's own signal.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * One request, whose answer is read to its end: less work than `fetch` where the whole answer is wanted anyway. The same judgement
   * of every connection; a redirect is an answer. Rejects as `fetch` does.
   */
  request(url: string | URL, request: OutboundRequest): Promise<OutboundAnswer>;
  /** Says at once what can be said without a look-up: for a URL that is being saved. Throws `OutboundError`. */
  checkUrl(url: string): URL;
  /** A TCP socket under the same rules, for clients that connect one by themselves. */
  socket(): Socket;
  /** A look-up for `host` and `port` that gives only what may be reached; for clients that ask it for literals too. */
  lookup(host: string, port: number): LookupFunction;
  /** Ends every connection made by `fetch`. */
  close(): Promise<void>;
}

export function createOutbound({ rules, limits: given, resolve = resolveBySystem }: OutboundDeps): Outbound {
  const limits = { ...OUTBOUND_LIMITS, ...given };
  let opened: Promise<GuardedWay> | null = null;
  let closed = false;
  /** The origin that was let through last. Its connections are judged all the same. */
  let reached = '';
  function required(input: string | URL): URL {
    if (input instanceof URL && input.origin === reached && input.username === '' && input.password === '')
      return input;
    const url = requireUrl(rules, input);
    reached = url.origin;
    return url;
  }
  // Loaded for the first URL: the HTTP client is large, and many a server never calls anybody.
  async function openWay(): Promise<GuardedWay> {
    const { openGuardedWay } = await import('./guarded-way.ts');
    return openGuardedWay(rules, limits, resolve);
  }
  async function openedWay(url: URL): Promise<GuardedWay> {
    if (closed)
      throw new OutboundError(
        'OUTBOUND_FAILED',
        `"${hostOf(url.hostname)}" cannot be reached: the server is stopping`,
      );
    opened ??= openWay();
    return opened;
  }
  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    if (typeof input !== 'string' && !(input instanceof URL))
      throw new TypeError('a URL is needed, not a Request');
    const url = requireUrl(rules, input);
    const way = await openedWay(url);
    try {
      const response = await way.fetch(url, { redirect: 'manual', ...init });
      return boundedResponse(response, limits.responseBytesMax, (error) =>
        translated(error, url, init.signal),
      );
    } catch (error) {
      throw translated(error, url, init.signal);
    }
  }
  async function request(input: string | URL, given: OutboundRequest): Promise<OutboundAnswer> {
    const url = required(input);
    try {
      return await (await openedWay(url)).request(url, given, limits.responseBytesMax);
    } catch (error) {
      throw translated(error, url, given.signal);
    }
  }
  return {
    request,
    fetch: fetch as typeof globalThis.fetch,
    checkUrl: (url) => requireUrl(rules, url),
    socket: () => new GuardedSocket(rules, resolve),
    lookup: (host, port) => guardedLookup(rules, resolve, { host: hostOf(host), port }),
    async close() {
      closed = true;
      await (await opened)?.close();
    },
  };
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function translated(thrown: unknown, url: URL, signal: AbortSignal | null | undefined): unknown {
  const known = outboundErrorIn(thrown);
  if (known !== null) return known;
  if (signal?.aborted) return signal.reason;
  const code = codeIn(thrown);
  const host = hostOf(url.hostname);
  const knownWhy = knownReason(thrown);
  const codeWords = code === '' ? '' : ` (${code})`;
  if (TIMEOUTS.includes(code))
    return new OutboundError('OUTBOUND_TIMEOUT', `"${host}" did not answer in time`, thrown);
  return new OutboundError(
    'OUTBOUND_FAILED',
    `"${host}" cannot be reached${knownWhy === null ? codeWords : `: ${knownWhy}`}`,
    thrown,
  );
}

/** The system's or undici's code in an error or its causes; `` for none. */
function codeIn(thrown: unknown): string {
  let error = thrown;
  for (let depth = 0; depth < 5 && error instanceof Error; depth++) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code !== '') return code;
    error = error.cause;
  }
  return '';
}

/**
 * The same answer, whose body ends with `OUTBOUND_TOO_LARGE` past `bytesMax` decompressed bytes: a small answer may stand for a
 * very large one. What else breaks the body is thrown as `translate` says.
 */
function boundedResponse(
  response: Response,
  bytesMax: number,
  translate: (error: unknown) => unknown,
): Response {
  const { body } = response;
  if (body === null) return response;
  const reader = body.getReader();
  let bytes = 0;
  const bounded = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        bytes += value.byteLength;
        if (bytes > bytesMax) throw tooLarge(bytesMax);
        controller.enqueue(value);
      } catch (error) {
        controller.error(translate(error));
        await reader.cancel().catch(() => undefined);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers, url } = response;
  const copy = new Response(bounded, { status, statusText, headers: [...headers] });
  return Object.defineProperty(copy, 'url', { value: url });
}
