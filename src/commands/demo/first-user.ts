import { generateSync } from 'otplib';
import { randomHex } from '../../base/ids.ts';
import { createClient } from '../../client/create-client.ts';
import { cookieFetch } from './cookie-fetch.ts';

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
