import { ConnectorError } from '../driver.ts';
import type { HttpAnswer } from '../http/exchange.ts';

type Headers = Readonly<Record<string, string>>;

/** The token that SAP wants with every request that writes, and the session that it belongs to (SAP Gateway, "CSRF Protection"). */
export class CsrfToken {
  readonly #ask: (headers: Headers, signal: AbortSignal) => Promise<HttpAnswer>;
  #token: Promise<Headers> | null = null;

  /** `ask` reads the root of the service. */
  constructor(ask: (headers: Headers, signal: AbortSignal) => Promise<HttpAnswer>) {
    this.#ask = ask;
  }

  /** Sends with a token; one that is refused, as those of ended sessions are, is renewed once: nothing has been done yet. */
  async withToken<T>(signal: AbortSignal, send: (headers: Headers) => Promise<T>): Promise<T> {
    const token = this.#current(signal);
    try {
      return await send(await token);
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.fault !== 'AUTH') throw error;
      if (this.#token === token) this.#token = null;
      return send(await this.#current(signal));
    }
  }

  #current(signal: AbortSignal): Promise<Headers> {
    if (this.#token !== null) return this.#token;
    const asked = this.#fetch(signal);
    this.#token = asked;
    asked.catch(() => {
      if (this.#token === asked) this.#token = null;
    });
    return asked;
  }

  async #fetch(signal: AbortSignal): Promise<Headers> {
    const { headers } = await this.#ask({ 'x-csrf-token': 'Fetch' }, signal);
    const token = headers['x-csrf-token'];
    if (token === undefined)
      throw new ConnectorError(
        'CONFIG',
        'The service sent no X-CSRF-Token; set "csrf" to false if it needs none',
      );
    // Several cookies are one text, and dates in it hold commas too.
    const cookies = [...(headers['set-cookie'] ?? '').matchAll(/(?:^|, )([^=;,\s]+=[^;,]*)/g)].map(
      ([, one]) => one,
    );
    return { 'x-csrf-token': token, ...(cookies.length > 0 && { cookie: cookies.join('; ') }) };
  }
}
