import { generateSync } from 'otplib';
import { randomHex } from '../../base/ids.ts';
import { createClient } from '../../client/create-client.ts';

const EMAIL = 'demo@example.com';
const PASSWORD_BYTES = 8;

/** Whom the demo signs in as. */
export interface FirstUser {
  readonly email: string;
  readonly password: string;
  /** Base32, for an authenticator app. */
  readonly totpSecret: string;
  readonly apiKey: string;
}

/** What a new installation does first: creates its first user, signs in with password and code, and makes an API key. */
export async function createFirstUser(baseUrl: string, setupToken: string): Promise<FirstUser> {
  const api = createClient({ server: baseUrl, fetch: cookieFetch(baseUrl) });
  const password = randomHex(PASSWORD_BYTES);
  const account = { token: setupToken, email: EMAIL, name: 'Demo', password };
  const { secret } = await api.POST('/api/auth/setup', { body: account });
  await api.POST('/api/auth/login', { body: { email: EMAIL, password } });
  await api.POST('/api/auth/verify-totp', { body: { code: generateSync({ secret }) } });
  const key = await api.POST('/api/api-keys', { body: { name: 'demo', scopes: ['*'] } });
  return { email: EMAIL, password, totpSecret: secret, apiKey: key.token };
}

/**
 * A `fetch` that keeps the cookies which a sign-in sets, as a browser would. It sends the server's own origin besides: a write with
 * a cookie must show where it comes from.
 */
function cookieFetch(origin: string): (request: Request) => Promise<Response> {
  const cookies = new Map<string, string>();
  return async (request) => {
    request.headers.set('origin', origin);
    if (cookies.size > 0)
      request.headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(request);
    keepCookies(cookies, response.headers.getSetCookie());
    return response;
  };
}

/** Keeps name and value; a cookie that is set to nothing is taken back. */
function keepCookies(cookies: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const pair = line.split(';', 1)[0] ?? '';
    const at = pair.indexOf('=');
    if (at <= 0) continue;
    const value = pair.slice(at + 1);
    if (value === '') cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), value);
  }
}
