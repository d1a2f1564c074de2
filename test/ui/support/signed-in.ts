import type { BrowserContextOptions } from 'playwright-core';
import { signInForSession } from '../../../src/commands/demo/first-user.ts';
import type { FullApp } from '../../support/full-app.ts';
import type { Served } from '../../support/served.ts';
import { PASSWORD, signIn, type Visitor } from '../../support/visitor.ts';

/** A browser profile that holds this visitor's session, of the server at `url`. */
export function signedInProfile(url: string, { cookies }: Visitor): BrowserContextOptions {
  return profileOf(url, cookies.get('svc_session') ?? '');
}

/** A browser profile that holds a session of a served program's first user. */
export async function servedProfile({ url, user }: Served): Promise<BrowserContextOptions> {
  return profileOf(url, await signInForSession(url, user, 'Headgate test'));
}

/** The same of a session’s value. */
export function profileOf(url: string, session: string): BrowserContextOptions {
  const { origin, hostname } = new URL(url);
  return {
    storageState: {
      cookies: [
        {
          name: 'svc_session',
          value: session,
          domain: hostname,
          path: '/',
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: 'Lax',
        },
      ],
      origins: [{ origin, localStorage: [{ name: 'headgate.signed-in', value: '1' }] }],
    },
  };
}

/** A viewer who is signed in. */
export async function viewerOf(app: FullApp, root: Visitor): Promise<Visitor> {
  const email = 'vera@example.com';
  await root.post('/api/users', { email, name: 'Vera', role: 'viewer', password: PASSWORD });
  const vera = app.visitor();
  const { body } = await vera.post<{ totp_enrolment: { secret: string } }>('/api/auth/login', {
    email,
    password: PASSWORD,
  });
  await signIn(vera, email, PASSWORD, body.totp_enrolment.secret, app.clock);
  return vera;
}
