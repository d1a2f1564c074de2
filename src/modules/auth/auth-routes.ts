import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { account, anybody, pending, self } from '../../http/access.ts';
import { principalOf } from '../../http/guard.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { nameField } from '../definitions/definition-fields.ts';
import { emailInput, PASSWORD_LENGTH_MAX, passwordInput, toUser, userRecord } from '../users/user.ts';
import { selectUser } from '../users/user-store.ts';
import { selectApiKey, toApiKey } from './api-keys/api-key.ts';
import { apiKey } from './api-keys/api-key-routes.ts';
import type { Auth } from './auth-service.ts';
import { deleteSession } from './auth-store.ts';
import { PENDING_COOKIE, SESSION_COOKIE } from './identify.ts';
import type { IssuedSession } from './sign-in.ts';
import type { Origin } from './sign-in-attempt.ts';

const CODE_LENGTH_MAX = 64;
const USER_AGENT_LENGTH_MAX = 300;
/** Only sign-ins ask whether the device is known. */
const DEVICE_COOKIE_PATH = '/api/auth';
const group = { tag: 'Auth', read: account, write: account };

const enrolment = z
  .object({
    otpauth_url: z.string(),
    secret: z.string(),
    qr_svg: z.string(),
    recovery_codes: z.array(z.string()),
  })
  .meta({ id: 'TotpEnrolment' });

const ownRecord = userRecord
  .extend({
    api_key: apiKey.optional().describe('The API key of the request, limited to its scopes'),
  })
  .meta({ id: 'Me' });

export interface AuthRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly auth: Auth;
  /** Cookies are `Secure` unless the server runs on plain http on loopback. */
  readonly secureCookies: boolean;
}

export function registerAuthRoutes(app: App, deps: AuthRoutesDeps): void {
  const routes = new Routes(app, group);
  registerSetup(routes, deps);
  registerLogin(routes, deps);
  registerSession(routes, deps);
}

function registerSetup(routes: Routes, { auth }: AuthRoutesDeps): void {
  routes.get(
    '/api/auth/setup',
    {
      id: 'getSetup',
      summary: 'Whether the server still needs its first user',
      access: anybody,
      answer: z.object({ setup_required: z.boolean() }),
    },
    async () => ({ setup_required: await auth.setupRequired() }),
  );

  routes.post(
    '/api/auth/setup',
    {
      id: 'setUp',
      summary: 'Create the first superadmin, with the one-time token from the console',
      access: anybody,
      body: z.strictObject({
        token: z.string().min(1).max(200),
        email: emailInput,
        name: nameField,
        password: passwordInput,
      }),
      answers: { 201: enrolment },
      errors: ['AUTH_ERROR', 'CONFLICT'],
    },
    async (request) => auth.setup(request.body, originOf(request)),
  );
}

function registerLogin(routes: Routes, { auth, secureCookies, clock }: AuthRoutesDeps): void {
  routes.post(
    '/api/auth/login',
    {
      id: 'login',
      summary: 'First step: email and password',
      access: anybody,
      body: z.strictObject({ email: emailInput, password: z.string().min(1).max(PASSWORD_LENGTH_MAX) }),
      answer: z.object({ totp_required: z.literal(true), totp_enrolment: enrolment.optional() }),
      sends: ['Set-Cookie'],
      errors: ['AUTH_ERROR'],
    },
    async (request, reply) => {
      const { session, enrolment: made } = await auth.login(
        request.body.email,
        request.body.password,
        originOf(request),
      );
      setCookie(reply, PENDING_COOKIE, session, secureCookies, clock.now());
      return made === null
        ? { totp_required: true as const }
        : { totp_required: true as const, totp_enrolment: made };
    },
  );

  routes.post(
    '/api/auth/verify-totp',
    {
      id: 'verifyTotp',
      summary: 'Second step: a TOTP code, or a recovery code, which works once',
      access: pending,
      body: z.strictObject({
        code: z
          .string()
          .min(1)
          .max(CODE_LENGTH_MAX)
          .meta({ examples: ['492817'] }),
      }),
      answer: z.object({ success: z.boolean() }),
      sends: ['Set-Cookie'],
      errors: ['AUTH_ERROR'],
      attachValidation: true,
    },
    async (request, reply) => {
      const cookie = request.cookies[PENDING_COOKIE];
      if (!cookie)
        throw new AppError(
          'VALIDATION_ERROR',
          'No sign-in is in progress: log in again with email and password',
        );
      if (request.validationError !== undefined) throw codeProblem(request);
      const { session, device } = await auth.verifyTotp(cookie, request.body.code, originOf(request));
      reply.clearCookie(PENDING_COOKIE, cookieOptions(secureCookies));
      setCookie(reply, SESSION_COOKIE, session, secureCookies, clock.now());
      const options = { ...cookieOptions(secureCookies), path: DEVICE_COOKIE_PATH };
      reply.setCookie(device.name, device.value, { ...options, expires: new Date(device.expiresAt) });
      return { success: true };
    },
  );
}

function codeProblem(request: FastifyRequest): Error {
  const code = isRecord(request.body) ? request.body['code'] : undefined;
  if (code === undefined || code === null || code === '')
    return new AppError('VALIDATION_ERROR', 'The code is missing: enter the code of your authenticator app');
  return request.validationError ?? new AppError('VALIDATION_ERROR', 'Invalid input');
}

function registerSession(routes: Routes, { store, clock, secureCookies }: AuthRoutesDeps): void {
  routes.get(
    '/api/auth/me',
    { id: 'getMe', summary: 'Who is signed in, or whose API key this is', access: self, answer: ownRecord },
    async (request) => {
      const principal = principalOf(request);
      const user = await selectUser(store.read, userIdOf(request));
      const key = principal.type === 'api_key' ? await selectApiKey(store.read, principal.id) : null;
      if (user === null) throw new AppError('AUTH_ERROR', 'Not authenticated');
      return key === null ? toUser(user) : { ...toUser(user), api_key: toApiKey(key) };
    },
  );

  routes.post(
    '/api/auth/logout',
    { id: 'logout', summary: 'End this session', sends: ['Set-Cookie'] },
    async (request, reply) => {
      const principal = principalOf(request);
      if (principal.type === 'user') {
        const entry = { action: 'auth.logout', resourceType: 'user', resourceId: principal.id };
        await store.write(async (tx) => {
          if (await deleteSession(tx, principal.sessionId, principal.id))
            await insertAudit(tx, actorOf(request), entry, clock.now());
        });
      }
      reply.clearCookie(SESSION_COOKIE, cookieOptions(secureCookies));
    },
  );
}

/** The user behind a session or an API key. */
export function userIdOf(request: FastifyRequest): number {
  const principal = principalOf(request);
  if (principal.type === 'user') return principal.id;
  if (principal.type === 'api_key') return principal.userId;
  throw new AppError('FORBIDDEN', 'Sign in as a user, or use a user’s API key');
}

function originOf(request: FastifyRequest): Origin {
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX);
  return { address: request.ip, userAgent, cookies: request.cookies, requestId: request.id };
}

function cookieOptions(secure: boolean) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
}

function setCookie(
  reply: FastifyReply,
  name: string,
  session: IssuedSession,
  secure: boolean,
  now: number,
): void {
  const maxAge = Math.max(1, Math.floor((session.expiresAt - now) / 1_000));
  reply.setCookie(name, session.token, { ...cookieOptions(secure), maxAge });
}
