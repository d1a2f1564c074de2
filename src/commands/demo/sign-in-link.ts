import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomToken } from '../../base/ids.ts';
import { type KnownUser, signInForSession } from './first-user.ts';

const LINK_MS = 10 * 60_000;
const SESSION_COOKIE = 'svc_session';

export interface SignInLinkOptions {
  /** The server's address, on loopback. */
  readonly url: string;
  readonly user: KnownUser;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export interface SignInLink {
  /** Signs in whoever opens it first, within ten minutes. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * An address on loopback that signs a browser in as the demo's user, once: it makes a session as any visitor would, and leads to the
 * page with its cookie, which browsers send to every port of the host. The server itself knows no way around the second factor.
 * Opened again, or too late, it leads to the sign-in.
 */
export async function openSignInLink({ url, user, now = Date.now }: SignInLinkOptions): Promise<SignInLink> {
  const path = `/${randomToken()}`;
  const expiresAt = now() + LINK_MS;
  let isUsed = false;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('cache-control', 'no-store').setHeader('referrer-policy', 'no-referrer');
    if (request.method !== 'GET' || !isSame(request.url ?? '', path)) return response.writeHead(404).end();
    if (isUsed || now() > expiresAt) return redirect(response, `${url}/sign-in`);
    isUsed = true;
    try {
      const session = await signInForSession(url, user, request.headers['user-agent'] ?? '');
      response.setHeader('set-cookie', `${SESSION_COOKIE}=${session}; Path=/; HttpOnly; SameSite=Lax`);
      redirect(response, `${url}/#signed-in`);
    } catch {
      redirect(response, `${url}/sign-in`);
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    address: `http://127.0.0.1:${port}${path}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

function isSame(given: string, path: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(path)];
  return one.length === other.length && timingSafeEqual(one, other);
}
