import type { BrowserContextOptions } from 'playwright-core';
import { signInForSession } from '../../../src/commands/demo/first-user.ts';
import type { Served } from '../../support/served.ts';
import type { Visitor } from '../../support/visitor.ts';

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
