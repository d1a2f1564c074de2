import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbound } from '../../base/outbound/outbound.ts';
import type { OutboundAnswer } from '../../base/outbound/outbound-answer.ts';
import { OutboundError } from '../../base/outbound/outbound-error.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { ConnectorError } from '../driver.ts';
import { type Credentials, createCredentials, type TokenRequest } from './auth/credentials.ts';
import type { HttpConfig } from './config.ts';
import { RateLimit } from './rate-limit.ts';
import { askedWaitMs, backoffMs } from './retry-wait.ts';
import { followUrl, urlOf } from './urls.ts';
import {
  type CarriedRows,
  type CompiledRule,
  excerptOf,
  judge,
  outboundFault,
  UndoneError,
} from './verdict.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpAsk {
  readonly method: HttpMethod;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The same request twice is as good as once, so that a failed one may be tried again. Default: by its method. */
  readonly isRepeatable?: boolean | undefined;
  /** It carries rows of a load. */
  readonly forRows?: CarriedRows | null;
  /** Statuses that say there is nothing where no rule of the configuration says otherwise. */
  readonly emptyOn?: readonly number[];
}

interface Sent {
  readonly answer: OutboundAnswer | ConnectorError;
  /** The credentials that it was sent with, for `renew`. */
  readonly proof: unknown;
}

/** An answer that counts as one; `isEmpty`: by a rule, it stands for no records. */
export interface HttpAnswer extends OutboundAnswer {
  readonly url: URL;
  readonly isEmpty: boolean;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REDIRECTS_MAX = 5;

/** Requests to one API: credentials, limits of rate, retries, redirects, and what an answer means. */
export class HttpExchange {
  readonly #config: HttpConfig;
  readonly #outbound: Outbound;
  /** Where credentials may be sent. */
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #credentials: Credentials;
  readonly #rate: RateLimit | null;
  readonly #rules: readonly CompiledRule[];

  constructor(config: HttpConfig, outbound: Outbound, rules: readonly CompiledRule[]) {
    this.#config = config;
    this.#outbound = outbound;
    this.#origin = new URL(config.base_url).origin;
    this.#rules = rules;
    this.#headers = lowerCased(config.headers);
    this.#rate = config.rate_limit === undefined ? null : new RateLimit(config.rate_limit);
    this.#credentials = createCredentials(config, (request, signal) => this.#askToken(request, signal));
  }

  /** The answer of the API. Rejects with a `ConnectorError`, or with the reason of `signal`. */
  async ask(given: HttpAsk, signal: AbortSignal): Promise<HttpAnswer> {
    const { retry } = this.#config;
    let ask = given;
    let renewed = false;
    let redirects = 0;
    for (let attempt = 1; ; ) {
      const { answer, proof } = await this.#send(ask, signal);
      if (answer instanceof ConnectorError) {
        if (answer.fault !== 'UNAVAILABLE' || !this.#maySendAgain(ask, answer, attempt))
          throw this.#failure(ask, answer);
        await sleep(backoffMs(retry, attempt++), undefined, { signal });
        continue;
      }
      const target = redirectOf(this.#config, ask, answer);
      if (target !== null) {
        if (++redirects > REDIRECTS_MAX) throw new ConnectorError('CONFIG', 'The API redirects in a loop');
        ask = { ...ask, url: target };
        continue;
      }
      const verdict = await judge(this.#config, this.#rules, answer, ask.forRows ?? null);
      if (verdict.kind === 'answer') return { ...answer, url: ask.url, isEmpty: verdict.isEmpty };
      if (verdict.kind === 'fail' && ask.emptyOn?.includes(answer.status))
        return { ...answer, url: ask.url, isEmpty: true };
      if (verdict.kind === 'renew' && !renewed && this.#credentials.renew(proof)) {
        renewed = true;
        continue;
      }
      if (verdict.kind !== 'retry' || !this.#maySendAgain(ask, verdict.error, attempt))
        throw this.#failure(ask, verdict.error);
      const wait = askedWaitMs(retry, answer.headers, Date.now());
      if (wait !== null && wait > retry.max_ms) throw this.#failure(ask, verdict.error);
      await sleep(wait ?? backoffMs(retry, attempt), undefined, { signal });
      attempt++;
    }
  }

  #maySendAgain(ask: HttpAsk, error: ConnectorError, attempt: number): boolean {
    if (attempt >= this.#config.retry.max_attempts) return false;
    return error instanceof UndoneError || this.#isRepeatable(ask);
  }

  #isRepeatable({ method, isRepeatable }: HttpAsk): boolean {
    return isRepeatable ?? this.#config.retry.methods.includes(method);
  }

  /** What a request fails with: one that may have been done is not sent again by the step or the run either. */
  #failure(ask: HttpAsk, error: ConnectorError): ConnectorError {
    if (error.fault !== 'UNAVAILABLE' || error instanceof UndoneError || this.#isRepeatable(ask))
      return error;
    const hint = `. The API may have done it, so the request is not sent again; add ${ask.method} to "retry.methods" if it may be sent twice`;
    const message = ask.isRepeatable === undefined ? `${error.message}${hint}` : error.message;
    return new ConnectorError('UNAVAILABLE', message, { cause: error, isFinal: true });
  }

  async #send(ask: HttpAsk, signal: AbortSignal): Promise<Sent> {
    if (this.#rate === null) return this.#sendNow(ask, signal);
    // Requests that waited for a token after they had their turns would then be sent all together.
    await this.#credentials.prepare(signal);
    return this.#rate.run(signal, () => this.#sendNow(ask, signal));
  }

  async #sendNow(ask: HttpAsk, signal: AbortSignal): Promise<Sent> {
    if (ask.url.origin !== this.#origin) {
      const answer = await this.#exchange({ ...ask, headers: harmlessOf(ask.headers) }, signal);
      return { answer, proof: null };
    }
    // A copy costs much of a small page's request.
    const url = this.#credentials.isInUrl ? new URL(ask.url) : ask.url;
    const headers = { ...this.#headers, ...ask.headers };
    const proof = await this.#credentials.apply(url, headers, signal);
    return { answer: await this.#exchange({ ...ask, url, headers }, signal), proof };
  }

  async #exchange({ method, url, headers, body }: HttpAsk, signal: AbortSignal) {
    try {
      return await this.#outbound.request(url, { method, headers, body, signal });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return outboundFault(error, this.#config);
    }
  }

  async #askToken({ address, headers, body }: TokenRequest, signal: AbortSignal): Promise<unknown> {
    const url = /^https?:/i.test(address) ? new URL(address) : urlOf(this.#config, address, []);
    const sent = await this.#exchange({ method: 'POST', url, headers, body }, signal);
    if (sent instanceof ConnectorError) throw sent;
    if (sent.status < 200 || sent.status >= 300) {
      const fault = sent.status >= 500 || sent.status === 429 ? 'UNAVAILABLE' : 'AUTH';
      throw new ConnectorError(fault, `The token request was answered with ${sent.status}${excerptOf(sent)}`);
    }
    try {
      return parseJsonText(sent.body.toString('utf8'));
    } catch (cause) {
      throw new ConnectorError('AUTH', 'The response to the token request is not JSON', { cause });
    }
  }
}

/** Where a read is sent on to; null where it is not, as a request that writes never is. */
function redirectOf(
  config: HttpConfig,
  { method, url }: HttpAsk,
  { status, headers }: OutboundAnswer,
): URL | null {
  const { location } = headers;
  if (method !== 'GET' || !REDIRECTS.has(status) || location === undefined) return null;
  return followUrl(config, url, location, 'The redirect');
}

/** Headers that say nothing of who asks, for other hosts. */
const HARMLESS = ['accept', 'content-type'];

function harmlessOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.includes(name)));
}

export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
