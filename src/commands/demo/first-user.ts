import { generateSync } from 'otplib';
import { randomHex } from '../../base/ids.ts';
import { createApiClient } from '../api-client.ts';

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
  const api = createApiClient({ baseUrl });
  const password = randomHex(PASSWORD_BYTES);
  const account = { token: setupToken, email: EMAIL, name: 'Demo', password };
  const { secret } = await api.post<{ secret: string }>('/api/auth/setup', account);
  await api.post('/api/auth/login', { email: EMAIL, password });
  await api.post('/api/auth/verify-totp', { code: generateSync({ secret }) });
  const key = await api.post<{ token: string }>('/api/api-keys', { name: 'demo', scopes: ['*'] });
  return { email: EMAIL, password, totpSecret: secret, apiKey: key.token };
}
