import { setTimeout as sleep } from 'node:timers/promises';
import type { Outbound } from '../../base/outbound/outbound.ts';
import type { OutboundAnswer } from '../../base/outbound/outbound-answer.ts';
import { OutboundError } from '../../base/outbound/outbound-error.ts';
import { AbsentResourceError, ConnectorError } from '../driver.ts';
import { type Credentials, createCredentials, type TokenRequest } from './auth/credentials.ts';
import type { ErrorRule, HttpConfig } from './config.ts';
import { RateLimit } from './rate-limit.ts';
import { askedWaitMs, backoffMs } from './retry-wait.ts';
import { followUrl, isOwnOrigin, urlOf } from './urls.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpAsk {
  readonly method: HttpMethod;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** The same request twice is as good as once, so that a failed one may be tried again. */
  readonly isRepeatable: boolean;
}

/** An answer that counts as one; `isEmpty`: by a rule, it stands for no records. */
export interface HttpAnswer extends OutboundAnswer {
  readonly url: URL;
  readonly isEmpty: boolean;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const REDIRECTS_MAX = 5;
const EXCERPT_CHARS = 300;

/** What becomes of one answer. */
type Verdict =
  | { readonly kind: 'answer'; readonly isEmpty: boolean }
  | { readonly kind: 'retry' | 'renew'; readonly error: ConnectorError }
  | { readonly kind: 'fail'; readonly error: ConnectorError };

/** Requests to one API: credentials, limits of rate, retries, redirects, and what an answer means. */
export class HttpExchange {
  readonly #config: HttpConfig;
  readonly #outbound: Outbound;
  readonly #credentials: Credentials;
  readonly #rate: RateLimit | null;

  constructor(config: HttpConfig, outbound: Outbound) {
    this.#config = config;
    this.#outbound = outbound;
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
      const sent = await this.#send(ask, signal);
      if (sent instanceof ConnectorError) {
        if (!ask.isRepeatable || attempt >= retry.max_attempts || sent.fault !== 'UNAVAILABLE') throw sent;
        await sleep(backoffMs(retry, attempt++), undefined, { signal });
        continue;
      }
      const target = redirectOf(this.#config, ask, sent);
      if (target !== null) {
        if (++redirects > REDIRECTS_MAX) throw new ConnectorError('CONFIG', 'The API redirects in circles');
        ask = { ...ask, url: target };
        continue;
      }
      const verdict = this.#judge(sent);
      if (verdict.kind === 'answer') return { ...sent, url: ask.url, isEmpty: verdict.isEmpty };
      if (verdict.kind === 'renew' && !renewed && this.#credentials.renew()) {
        renewed = true;
        continue;
      }
      if (verdict.kind !== 'retry' || !ask.isRepeatable || attempt >= retry.max_attempts) throw verdict.error;
      const wait = askedWaitMs(retry, sent.headers, Date.now());
      if (wait !== null && wait > retry.max_ms) throw verdict.error;
      await sleep(wait ?? backoffMs(retry, attempt), undefined, { signal });
      attempt++;
    }
  }

  async #send(ask: HttpAsk, signal: AbortSignal): Promise<OutboundAnswer | ConnectorError> {
    await this.#rate?.take(signal);
    const url = new URL(ask.url);
    if (!isOwnOrigin(this.#config, url))
      return this.#exchange({ ...ask, url, headers: harmlessOf(ask.headers) }, signal);
    const headers = { ...lowerCased(this.#config.headers), ...ask.headers };
    await this.#credentials.apply(url, headers, signal);
    return this.#exchange({ ...ask, url, headers }, signal);
  }

  async #exchange({ method, url, headers, body }: Omit<HttpAsk, 'isRepeatable'>, signal: AbortSignal) {
    try {
      return await this.#outbound.request(url, { method, headers, body, signal });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return outboundFault(error, this.#config);
    }
  }

  #judge(answer: OutboundAnswer): Verdict {
    const rule = this.#config.errors.find(({ when }) => fits(when, answer));
    const { status } = answer;
    if (rule === undefined && status >= 200 && status < 300) return { kind: 'answer', isEmpty: false };
    const error = failureOf(answer, this.#config, rule?.message);
    if (rule !== undefined) return verdictOf(rule, error);
    if (status === 401) return { kind: 'renew', error };
    return { kind: this.#config.retry.statuses.includes(status) ? 'retry' : 'fail', error };
  }

  async #askToken({ address, headers, body }: TokenRequest, signal: AbortSignal): Promise<unknown> {
    const url = /^https?:/i.test(address) ? new URL(address) : urlOf(this.#config, address, []);
    const sent = await this.#exchange({ method: 'POST', url, headers, body }, signal);
    if (sent instanceof ConnectorError) throw sent;
    if (sent.status < 200 || sent.status >= 300) {
      const fault = sent.status >= 500 || sent.status === 429 ? 'UNAVAILABLE' : 'AUTH';
      throw new ConnectorError(
        fault,
        `The request for a token was answered ${sent.status}${excerptOf(sent)}`,
      );
    }
    try {
      return JSON.parse(sent.body.toString('utf8'));
    } catch (cause) {
      throw new ConnectorError('AUTH', 'The request for a token was not answered with JSON', { cause });
    }
  }
}

function verdictOf({ action }: ErrorRule, error: ConnectorError): Verdict {
  switch (action) {
    case 'ignore':
    case 'empty':
      return { kind: 'answer', isEmpty: action === 'empty' };
    case 'refresh_auth':
      return { kind: 'renew', error };
    default:
      return { kind: action, error };
  }
}

function fits({ status, body_contains }: ErrorRule['when'], answer: OutboundAnswer): boolean {
  if (status !== undefined && !status.includes(answer.status)) return false;
  return body_contains === undefined || answer.body.includes(body_contains);
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

function failureOf(
  answer: OutboundAnswer,
  { retry }: HttpConfig,
  message: string | undefined,
): ConnectorError {
  const { status, headers } = answer;
  const text = message ?? `The API answered ${status}${excerptOf(answer)}`;
  if (status === 401 || status === 403) return new ConnectorError('AUTH', text);
  if (status === 404 || status === 410) return new AbsentResourceError(text);
  const wait = askedWaitMs(retry, headers, Date.now());
  if (status >= 500 || retry.statuses.includes(status))
    return new ConnectorError('UNAVAILABLE', text, wait === null ? {} : { retryAfterMs: wait });
  return new ConnectorError('CONFIG', text);
}

/** The beginning of what an answer says, on one line. */
export function excerptOf({ body, headers }: OutboundAnswer): string {
  const type = headers['content-type'] ?? '';
  if (body.length === 0 || !/json|text|xml|^$/i.test(type)) return '';
  const bare = body.subarray(0, 8_000).toString('utf8');
  const text = (/html/i.test(type) ? bare.replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : bare)
    .replace(/\s+/g, ' ')
    .trim();
  if (text === '') return '';
  return `: ${text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text}`;
}

function outboundFault(error: OutboundError, config: HttpConfig): ConnectorError {
  const { max_response_bytes, timeout_ms } = config;
  switch (error.code) {
    case 'OUTBOUND_TIMEOUT':
      return new ConnectorError('UNAVAILABLE', `The API did not answer within ${timeout_ms} ms`, {
        cause: error,
      });
    case 'OUTBOUND_REFUSED':
    case 'OUTBOUND_INVALID':
      return new ConnectorError('CONFIG', error.message, { cause: error });
    case 'OUTBOUND_TOO_LARGE': {
      const message = `An answer is larger than ${max_response_bytes} bytes: ask for smaller pages, or raise "max_response_bytes"`;
      return new ConnectorError('CONFIG', message, { cause: error });
    }
    default:
      return new ConnectorError('UNAVAILABLE', error.message, { cause: error });
  }
}

/** Headers that say nothing of who asks, for other hosts. */
const HARMLESS = ['accept', 'content-type'];

function harmlessOf(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.includes(name)));
}

export function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
