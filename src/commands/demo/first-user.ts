import { generateSync } from 'otplib';
import { randomHex } from '../../base/ids.ts';
import { createClient } from '../../client/create-client.ts';

const EMAIL = 'demo@example.com';
const PASSWORD_BYTES = 8;
const TOTP_STEP_SECONDS = 30;

/** Whom the demo can sign in as. */
export interface KnownUser {
  readonly email: string;
  readonly password: string;
  /** Base32, for an authenticator app. */
  readonly totpSecret: string;
}

export interface FirstUser extends KnownUser {
  readonly apiKey: string;
}

/** What a new installation does first: creates its first user, signs in with password and code, and makes an API key. */
export async function createFirstUser(baseUrl: string, setupToken: string): Promise<FirstUser> {
  const api = createClient({ server: baseUrl, fetch: cookieFetch(baseUrl, new Map()) });
  const password = randomHex(PASSWORD_BYTES);
  const account = { token: setupToken, email: EMAIL, name: 'Demo', password };
  const { secret } = await api.POST('/api/auth/setup', { body: account });
  await api.POST('/api/auth/login', { body: { email: EMAIL, password } });
  await api.POST('/api/auth/verify-totp', { body: { code: generateSync({ secret }) } });
  const key = await api.POST('/api/api-keys', { body: { name: 'demo', scopes: ['*'] } });
  return { email: EMAIL, password, totpSecret: secret, apiKey: key.token };
}

/** Signs the user in, and gives the value of the session's cookie. Throws `ApiError` where the server refuses. */
export async function signInForSession(baseUrl: string, user: KnownUser, userAgent: string): Promise<string> {
  const cookies = new Map<string, string>();
  const api = createClient({ server: baseUrl, fetch: cookieFetch(baseUrl, cookies, userAgent) });
  const { email, password, totpSecret: secret } = user;
  await api.POST('/api/auth/login', { body: { email, password } });
  const verify = (code: string) => api.POST('/api/auth/verify-totp', { body: { code } });
  // A code works once: within the step in which the demo has used one, that of the next step does.
  await verify(generateSync({ secret })).catch(() =>
    verify(generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + TOTP_STEP_SECONDS })),
  );
  return cookies.get('svc_session') ?? '';
}

/**
 * A `fetch` that keeps the cookies which a sign-in sets, as a browser would. It sends the server's own origin besides: a write with
 * a cookie must show where it comes from.
 */
function cookieFetch(
  origin: string,
  cookies: Map<string, string>,
  userAgent = 'Headgate demo',
): (request: Request) => Promise<Response> {
  return async (request) => {
    request.headers.set('origin', origin);
    request.headers.set('user-agent', userAgent);
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
