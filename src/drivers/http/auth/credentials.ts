import { SharedWork } from '../../../base/concurrency/shared-work.ts';
import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import type { HttpConfig } from '../config.ts';
import { valueAt } from '../value-at.ts';

/** What a token is asked for with. */
export interface TokenRequest {
  /** Absolute, or a path of the API. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request for a token, and gives the JSON that answers it. */
export type AskToken = (request: TokenRequest, signal: AbortSignal) => Promise<unknown>;

/** Puts credentials into requests of one connection. */
export interface Credentials {
  /** They are parameters of the URL. */
  readonly isInUrl: boolean;
  /** Asks for a token where there is none that is good, so that `apply` has not to wait for one. */
  prepare(signal: AbortSignal): Promise<unknown>;
  /** Into the headers or the query of a request. May ask for a token first. Resolves to what `renew` takes. */
  apply(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<unknown>;
  /** After a 401 to a request with these credentials: whether another try may have others. */
  renew(refused: unknown): boolean;
}

/** Before a token expires it is asked for again, so that it does not expire on its way: at most so long before. */
const EARLY_MS = 30_000;
const EARLY_SHARE = 0.1;
const TOKEN_MS_DEFAULT = 3_600_000;

/** The credentials that a configuration names; see `auth-config.ts`. */
export function createCredentials(config: HttpConfig, ask: AskToken): Credentials {
  const { auth, token = '', api_key = '', password = '' } = config;
  switch (auth.type) {
    case 'none':
      return fixed(() => undefined);
    case 'bearer':
      return inHeader('authorization', `Bearer ${token}`);
    case 'basic': {
      const text = Buffer.from(`${auth.username}:${password}`).toString('base64');
      return inHeader('authorization', `Basic ${text}`);
    }
    case 'api_key':
      return auth.in === 'header'
        ? inHeader(auth.name.toLowerCase(), `${auth.prefix}${api_key}`)
        : fixed((url) => url.searchParams.set(auth.name, `${auth.prefix}${api_key}`), true);
    case 'session':
      return new TokenCredentials(auth.header, auth.prefix, async (signal) => {
        const body = JSON.stringify({
          [auth.username_field]: auth.username,
          [auth.password_field]: password,
        });
        const headers = { 'content-type': 'application/json' };
        const answer = await ask({ address: auth.login_path, headers, body }, signal);
        return tokenOf(
          valueAt(answer, auth.token_path),
          answer,
          `"${auth.token_path}" of the login's answer`,
        );
      });
    default:
      return new TokenCredentials('authorization', 'Bearer ', async (signal) => {
        const answer = await ask(oauthRequest(config, auth), signal);
        const found = isRecord(answer) ? answer['access_token'] : undefined;
        return tokenOf(found, answer, '"access_token" of the token endpoint');
      });
  }
}

type OauthAuth = Extract<HttpConfig['auth'], { readonly token_url: string }>;

function oauthRequest({ client_secret, refresh_token }: HttpConfig, auth: OauthAuth): TokenRequest {
  const form = new URLSearchParams(
    auth.type === 'oauth2_refresh_token'
      ? { grant_type: 'refresh_token', refresh_token: refresh_token ?? '' }
      : { grant_type: 'client_credentials' },
  );
  if (auth.scope !== undefined) form.set('scope', auth.scope);
  if (auth.audience !== undefined) form.set('audience', auth.audience);
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (auth.client_auth === 'basic' && client_secret !== undefined) {
    const pair = `${encodeURIComponent(auth.client_id)}:${encodeURIComponent(client_secret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  } else {
    form.set('client_id', auth.client_id);
    if (client_secret !== undefined) form.set('client_secret', client_secret);
  }
  return { address: auth.token_url, headers, body: form.toString() };
}

function inHeader(name: string, text: string): Credentials {
  return fixed((_url, headers) => {
    headers[name] = text;
  });
}

function fixed(put: (url: URL, headers: Record<string, string>) => void, isInUrl = false): Credentials {
  return {
    isInUrl,
    prepare: async () => undefined,
    apply: async (url, headers) => put(url, headers),
    renew: () => false,
  };
}

interface Token {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

function tokenOf(value: unknown, answer: unknown, what: string): Token {
  if (typeof value !== 'string' || value === '' || !/^[\x20-\x7e]+$/.test(value))
    throw new ConnectorError('AUTH', `There is no token at ${what}`);
  const seconds = Number(isRecord(answer) ? answer['expires_in'] : Number.NaN);
  const lifeMs = seconds > 0 ? seconds * 1_000 : TOKEN_MS_DEFAULT;
  return { text: value, until: Date.now() + lifeMs - Math.min(EARLY_MS, lifeMs * EARLY_SHARE) };
}

/** A token that is asked for when it is first needed, shared by all requests, and asked for again before it expires. */
class TokenCredentials implements Credentials {
  readonly isInUrl = false;
  readonly #header: string;
  readonly #prefix: string;
  readonly #obtain: (signal: AbortSignal) => Promise<Token>;
  readonly #asking = new SharedWork<Token>();
  #token: Token | null = null;

  constructor(header: string, prefix: string, obtain: (signal: AbortSignal) => Promise<Token>) {
    this.#header = header.toLowerCase();
    this.#prefix = prefix;
    this.#obtain = obtain;
  }

  async apply(_url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<Token> {
    const token = await this.prepare(signal);
    headers[this.#header] = `${this.#prefix}${token.text}`;
    return token;
  }

  async prepare(signal: AbortSignal): Promise<Token> {
    const kept = this.#token;
    if (kept !== null && kept.until > Date.now()) return kept;
    return this.#asking.join('token', signal, (all) => this.#ask(all));
  }

  /** Requests that were under way with a token that another one has replaced already take the new one. */
  renew(refused: unknown): boolean {
    if (this.#token === refused) this.#token = null;
    return true;
  }

  async #ask(signal: AbortSignal): Promise<Token> {
    const token = await this.#obtain(signal);
    this.#token = token;
    return token;
  }
}
