import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { account, type Principal } from '../../http/access.ts';
import { principalOf } from '../../http/guard.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import type { Account, SessionInfo } from './account-service.ts';
import { PASSWORD_LENGTH_MAX, passwordInput } from './user.ts';

export const sessionRecord = z
  .object({
    id: z.number().int(),
    created_at: z.string(),
    last_seen_at: z.string(),
    expires_at: z.string(),
    address: z.string(),
    user_agent: z.string(),
    current: z.boolean().describe('Whether it is the session of this request'),
  })
  .meta({ id: 'Session' });
const group = { tag: 'Auth', read: account, write: account };

/** The signed-in user's own password and sessions. */
export function registerAccountRoutes(app: App, own: Account): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/auth/password',
    {
      id: 'changePassword',
      summary: 'Change your password; ends all your sessions, including this one',
      body: z.strictObject({ current: z.string().min(1).max(PASSWORD_LENGTH_MAX), new: passwordInput }),
    },
    async (request) => own.changePassword(userOf(request).id, request.body, actorOf(request)),
  );

  routes.get(
    '/api/auth/sessions',
    {
      id: 'listSessions',
      summary: 'Your sessions',
      answer: z.object({ result: z.array(sessionRecord), next_cursor: z.null() }),
    },
    async (request) => {
      const { id, sessionId } = userOf(request);
      const sessions = await own.listSessions(id);
      return { result: sessions.map((session) => toSession(session, sessionId)), next_cursor: null };
    },
  );

  routes.delete(
    '/api/auth/sessions',
    {
      id: 'deleteOtherSessions',
      summary: 'End all your other sessions',
      answer: z.object({ ended: z.number().int() }),
    },
    async (request) => {
      const { id, sessionId } = userOf(request);
      return { ended: await own.endOtherSessions(id, sessionId, actorOf(request)) };
    },
  );

  routes.delete(
    '/api/auth/sessions/:id',
    { id: 'deleteSession', summary: 'End one of your sessions' },
    async (request) => own.endSession(userOf(request).id, request.params.id, actorOf(request)),
  );
}

/** `currentId`: the session of the request; null where it has none. */
export function toSession(session: SessionInfo, currentId: number | null): z.input<typeof sessionRecord> {
  return {
    id: session.id,
    created_at: timestamp(session.created_at),
    last_seen_at: timestamp(session.last_seen_at),
    expires_at: timestamp(session.expires_at),
    address: session.address,
    user_agent: session.user_agent,
    current: session.id === currentId,
  };
}

function userOf(request: FastifyRequest): Extract<Principal, { type: 'user' }> {
  const principal = principalOf(request);
  if (principal.type !== 'user')
    throw new AppError('FORBIDDEN', 'Sign in as a user: API keys are not accepted here');
  return principal;
}
