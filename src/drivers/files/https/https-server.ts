import { setTimeout as sleep } from 'node:timers/promises';
import { createOutbound, type Outbound } from '../../../base/outbound/outbound.ts';
import { outboundRules } from '../../../base/outbound/outbound-policy.ts';
import { type ConnectContext, ConnectorError } from '../../driver.ts';
import type { HttpsConfig } from './https-config.ts';
import { isPassing, statusFault, wayFault } from './https-fault.ts';

/** Largest file that is read of a server that gives no ranges, on its way to the disk of this machine. */
export const wholeBytesMax = 20 * 1024 ** 3;
const ATTEMPTS = 4;
const WAIT_MS = { first: 250, max: 30_000 };
const REDIRECTS = [301, 302, 303, 307, 308];
const REDIRECTS_MAX = 5;

export interface FileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
  /** Ends it without reading the rest. */
  close(): Promise<void>;
}

interface FileRequest {
  readonly url: URL;
  /** In messages. */
  readonly name: string;
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Statuses, besides those of a file, that the caller understands. */
  readonly understood?: readonly number[];
}

/** Requests for files: redirects, tries again, and the header that says who asks, for its host alone. */
export class HttpsServer {
  readonly #config: HttpsConfig;
  readonly #outbound: Outbound;
  readonly #closing = new AbortController();

  constructor(config: HttpsConfig, context: ConnectContext) {
    const access = context.outbound ?? { policy: 'allowlist' as const, allow: [], ownPorts: [] };
    const answerMs = (config.https?.timeout_seconds ?? 60) * 1_000;
    this.#config = config;
    this.#outbound = createOutbound({
      rules: outboundRules(access, access.ownPorts),
      limits: {
        connectMs: context.connectTimeoutMs,
        headersMs: answerMs,
        bodyMs: answerMs,
        responseBytesMax: wholeBytesMax,
      },
    });
  }

  /** Throws `CONFIG` for a URL that the outbound rules refuse. */
  checkUrl(url: URL): void {
    try {
      this.#outbound.checkUrl(url.href);
    } catch (error) {
      throw wayFault(error, url.host);
    }
  }

  /** An answer with a file, or one of the statuses that are understood. The caller reads or closes it. */
  async ask(request: FileRequest): Promise<FileAnswer> {
    const { name, understood = [] } = request;
    const signal = this.#untilClosed(request.signal);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#redirected({ ...request, signal });
      if (!(answer instanceof ConnectorError)) {
        const { status } = answer;
        if (status === 200 || status === 206 || understood.includes(status)) return answer;
        await answer.close();
        if (!isPassing(status) || attempt === ATTEMPTS) throw statusFault(status, name);
      } else if (answer.fault !== 'UNAVAILABLE' || attempt === ATTEMPTS) throw answer;
      const asked = answer instanceof ConnectorError ? null : askedMs(answer.headers.get('retry-after'));
      if (asked !== null && asked > WAIT_MS.max)
        throw new ConnectorError('UNAVAILABLE', `"${name}" is temporarily unavailable on the server`, {
          retryAfterMs: asked,
        });
      const usual = Math.random() * WAIT_MS.first * 4 ** attempt;
      await sleep(asked ?? usual, undefined, { signal });
    }
  }

  /** Ends what is on its way, too: a read that was left may have asked for more. */
  close(): Promise<void> {
    this.#closing.abort(new ConnectorError('UNAVAILABLE', 'The connection to the server was closed'));
    return this.#outbound.close();
  }

  #untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  async #redirected(request: FileRequest): Promise<FileAnswer | ConnectorError> {
    let { url } = request;
    for (let redirects = 0; ; redirects++) {
      const answer = await this.#send({ ...request, url });
      const target = answer instanceof ConnectorError ? null : answer.headers.get('location');
      if (answer instanceof ConnectorError || target === null || !REDIRECTS.includes(answer.status))
        return answer;
      await answer.close();
      if (redirects === REDIRECTS_MAX)
        return new ConnectorError('CONFIG', `The server redirects "${request.name}" in a loop`);
      const next = URL.parse(target, url.href);
      if (next === null || (next.protocol !== 'https:' && next.protocol !== url.protocol))
        return new ConnectorError(
          'CONFIG',
          `The server redirects "${request.name}" to an address that is not https://`,
        );
      url = next;
    }
  }

  async #send({
    url,
    name,
    method = 'GET',
    headers = {},
    signal,
  }: FileRequest): Promise<FileAnswer | ConnectorError> {
    const { https, header_value } = this.#config;
    const own = header_value !== undefined && https?.host?.toLowerCase() === url.host;
    const sent = { ...headers, ...(own && { [https?.header ?? 'authorization']: header_value }) };
    try {
      const response = await this.#outbound.fetch(url, { method, headers: sent, ...(signal && { signal }) });
      const { status, headers: got, body } = response;
      return {
        status,
        headers: got,
        body: bytesOf(body, name),
        close: async () => body?.cancel().catch(() => undefined),
      };
    } catch (error) {
      const fault = wayFault(error, name);
      if (fault instanceof ConnectorError) return fault;
      throw fault;
    }
  }
}

async function* bytesOf(
  body: ReadableStream<Uint8Array> | null,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (body !== null) yield* body;
  } catch (error) {
    throw wayFault(error, name);
  }
}

/** `Retry-After`: seconds or a date. */
function askedMs(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
