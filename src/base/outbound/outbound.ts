import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { parseAddress } from './address.ts';
import { boundedResponse } from './bounded-response.ts';
import { OutboundError, outboundErrorIn } from './outbound-error.ts';
import { hostOf, mayReach, type OutboundRules, portOf, refused, requireUrl } from './outbound-policy.ts';

export interface OutboundLimits {
  readonly connectMs: number;
  /** Until the head of the answer is there. */
  readonly headersMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyMs: number;
  /** Of the answer's body, decompressed. */
  readonly responseBytesMax: number;
  /** Connections to one origin. */
  readonly connections: number;
}

export const OUTBOUND_LIMITS: OutboundLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  bodyMs: 30_000,
  responseBytesMax: 16 * 1_048_576,
  connections: 16,
};

/** Resolves a name to all its addresses, as `dns.lookup` with `all`. */
export type ResolveAll = (
  host: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

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
  /** Says at once what can be said without a look-up: for a URL that is being saved. Throws `OutboundError`. */
  checkUrl(url: string): URL;
  /** Ends every connection. */
  close(): Promise<void>;
}

export function createOutbound({ rules, limits: given, resolve = resolveBySystem }: OutboundDeps): Outbound {
  const limits = { ...OUTBOUND_LIMITS, ...given };
  const agent = new Agent({
    connect: guardedConnector(rules, resolve, limits.connectMs),
    connections: limits.connections,
    headersTimeout: limits.headersMs,
    bodyTimeout: limits.bodyMs,
    allowH2: false,
  });
  // undici's own `fetch` and not the platform's: a dispatcher works only with the version that it is of.
  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    if (typeof input !== 'string' && !(input instanceof URL))
      throw new TypeError('a URL is needed, not a Request');
    const url = requireUrl(rules, input);
    const options = { redirect: 'manual', ...init, dispatcher: agent } as Parameters<typeof undiciFetch>[1];
    try {
      const response = await undiciFetch(url, options);
      return boundedResponse(response as unknown as Response, limits.responseBytesMax, (error) =>
        translated(error, url, init.signal),
      );
    } catch (error) {
      throw translated(error, url, init.signal);
    }
  }
  return {
    fetch: fetch as typeof globalThis.fetch,
    checkUrl: (url) => requireUrl(rules, url),
    close: () => agent.destroy(),
  };
}

/** Literals are judged here, because sockets look only names up; names in the look-up, whose answer is what is connected to. */
function guardedConnector(
  rules: OutboundRules,
  resolve: ResolveAll,
  timeout: number,
): buildConnector.connector {
  return (options, done) => {
    const host = hostOf(options.hostname);
    const port = portOf({ port: options.port, protocol: options.protocol });
    const literal = parseAddress(host);
    if (literal !== null && !mayReach(rules, { host, port, address: literal }))
      return done(refused(rules, host), null);
    const lookup = guardedLookup(rules, resolve, { host, port });
    const connect = buildConnector({ timeout, allowH2: false, lookup } as buildConnector.BuildOptions);
    connect(options, (error, socket) => {
      if (error !== null || socket === null) return done(error ?? new Error('no socket'), null);
      // Whatever the way to it: what is connected to now is what was let through.
      const address = parseAddress(socket.remoteAddress ?? '');
      if (mayReach(rules, { host, port, address })) return done(null, socket);
      socket.destroy();
      done(refused(rules, host), null);
    });
  };
}

function guardedLookup(
  rules: OutboundRules,
  resolve: ResolveAll,
  { host, port }: { readonly host: string; readonly port: number },
): LookupFunction {
  return (name, options, done) => {
    resolve(name, (error, addresses) => {
      if (error !== null) return done(error, '', 0);
      const open = addresses.filter((found) =>
        mayReach(rules, { host, port, address: parseAddress(found.address) }),
      );
      const [first] = open;
      if (first === undefined) return done(refused(rules, host), '', 0);
      if (options.all) return done(null, open);
      done(null, first.address, first.family);
    });
  };
}

function resolveBySystem(host: string, done: Parameters<ResolveAll>[1]): void {
  systemLookup(host, { all: true }, (error, addresses) => done(error, addresses ?? []));
}

const TIMEOUTS = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'];

function translated(thrown: unknown, url: URL, signal: AbortSignal | null | undefined): unknown {
  const known = outboundErrorIn(thrown);
  if (known !== null) return known;
  if (signal?.aborted) return signal.reason;
  const code = codeIn(thrown);
  const host = hostOf(url.hostname);
  if (TIMEOUTS.includes(code))
    return new OutboundError('OUTBOUND_TIMEOUT', `"${host}" did not answer in time`, thrown);
  return new OutboundError(
    'OUTBOUND_FAILED',
    `"${host}" cannot be reached${code === '' ? '' : ` (${code})`}`,
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
