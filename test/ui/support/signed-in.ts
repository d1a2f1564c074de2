import type { BrowserContextOptions } from 'playwright-core';
import type { Visitor } from '../../support/visitor.ts';

/** A browser profile that holds this visitor's session, of the server at `url`. */
export function signedInProfile(url: string, { cookies }: Visitor): BrowserContextOptions {
  const { origin, hostname } = new URL(url);
  return {
    storageState: {
      cookies: [
        {
          name: 'svc_session',
          value: cookies.get('svc_session') ?? '',
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
