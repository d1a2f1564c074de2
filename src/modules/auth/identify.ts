import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/ids.ts';
import type { Principal } from '../../http/access.ts';
import type { Identify } from '../../http/guard.ts';
import type { Store } from '../../store/store.ts';
import { roleOf } from '../users/user.ts';
import { selectUser } from '../users/user-store.ts';
import { API_KEY_PREFIX, selectApiKeyByHash, touchApiKey } from './api-keys/api-key.ts';
import { deleteSession, selectSession, touchSession } from './auth-store.ts';

export const SESSION_COOKIE = 'svc_session';
export const PENDING_COOKIE = 'svc_pending_session';
/** `last_used_at` and `last_seen_at` are exact to the minute, so that reads do not become writes. */
const TOUCH_EVERY_MS = 60_000;

export interface IdentifyDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly sessionIdleMs: number;
  /** The fingerprint of a valid executor key, else null. `AUTH_ERROR` for a revoked one. */
  readonly proveExecutorKey: (presented: string) => string | null;
}

/** The principal of a request: an API key, a session, or an executor. Reads the store each time: revoking takes effect at once. */
export function createIdentify(deps: IdentifyDeps): Identify {
  return {
    async member(request) {
      const bearer = bearerOf(request);
      if (bearer !== null) return bearer.startsWith(API_KEY_PREFIX) ? byApiKey(bearer, deps) : null;
      const cookie = request.cookies[SESSION_COOKIE];
      return cookie === undefined || cookie === '' ? null : bySession(cookie, deps);
    },
    async executor(request) {
      const bearer = bearerOf(request);
      const key = bearer === null ? null : deps.proveExecutorKey(bearer);
      return key === null ? null : { type: 'executor', name: 'executor', key };
    },
  };
}

function bearerOf(request: FastifyRequest): string | null {
  const match = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(request.headers.authorization ?? '');
  return match?.[1] ?? null;
}

async function byApiKey(token: string, { store, clock }: IdentifyDeps): Promise<Principal | null> {
  const hash = sha256(token);
  const row = await selectApiKeyByHash(store.read, hash);
  const now = clock.now();
  if (row === undefined || row.user_status !== 'active') return null;
  const isPast = (end: number | null) => end !== null && end <= now;
  if (isPast(row.expires_at) || (row.token_hash !== hash && isPast(row.previous_expires_at))) return null;
  if (now - (row.last_used_at ?? 0) > TOUCH_EVERY_MS) await store.write((tx) => touchApiKey(tx, row.id, now));
  const scopes = JSON.parse(row.scopes_json) as string[];
  return { type: 'api_key', id: row.id, userId: row.user_id, name: row.name, role: roleOf(row.role), scopes };
}

async function bySession(
  token: string,
  { store, clock, sessionIdleMs }: IdentifyDeps,
): Promise<Principal | null> {
  const session = await selectSession(store.read, sha256(token), 'full');
  if (session === null) return null;
  const now = clock.now();
  if (session.expires_at <= now || now - session.last_seen_at > sessionIdleMs) {
    await store.write((tx) => deleteSession(tx, session.id, session.user_id));
    return null;
  }
  const user = await selectUser(store.read, session.user_id);
  if (user === null || user.status !== 'active') return null;
  if (now - session.last_seen_at > TOUCH_EVERY_MS)
    await store.write((tx) => touchSession(tx, session.id, now));
  return { type: 'user', id: user.id, name: user.email, role: roleOf(user.role), sessionId: session.id };
}
