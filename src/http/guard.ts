import type { FastifyInstance, FastifyRequest } from 'fastify';
import { caller } from '../base/concurrency/caller.ts';
import { AppError } from '../base/errors.ts';
import { type Access, type Principal, roleAtLeast, scopeAllows } from './access.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard before the handler of any route that requires a caller. */
    principal: Principal | null;
  }
  interface FastifyContextConfig {
    access?: Access;
  }
}

/** Supplied by the auth module. Each resolves to null without a valid credential of that kind. */
export interface Identify {
  /** Bearer API key or full session cookie. */
  member(request: FastifyRequest): Promise<Principal | null>;
  executor(request: FastifyRequest): Promise<Principal | null>;
}

/** Access kinds of callers without a credential, or with no more than a link, whose body is read. */
const BEFORE_CREDENTIALS: ReadonlySet<Access['kind']> = new Set(['none', 'pending', 'share']);
/** The body limit for strangers; routes that need more declare it, with a reason. */
export const STRANGERS_BODY_BYTES_MAX = 16_384;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks every request against the `access` of its matched route; a route without one fails the start, and one that asks for no
 * credential has a small body limit of its own. Writes with a
 * session cookie, or through a share link, must come from the same origin (`Sec-Fetch-Site`, else `Origin`).
 */
export function installGuard(app: FastifyInstance, identify: Identify): void {
  app.decorateRequest('principal', null);
  app.addHook('onRoute', (route) => {
    const access = route.config?.access;
    if (access === undefined)
      throw new Error(`route ${String(route.method)} ${route.url} declares no access`);
    if (BEFORE_CREDENTIALS.has(access.kind)) route.bodyLimit ??= STRANGERS_BODY_BYTES_MAX;
  });
  app.addHook('onRequest', (request, _reply, done) => {
    const access = request.routeOptions.config.access;
    const admitted = access === undefined || request.is404 ? null : admit(request, access, identify);
    if (admitted === null) {
      done();
      return;
    }
    admitted.then((principal) => {
      request.principal = principal;
      done();
    }, done);
  });
  // After the body was read: its events belong to no request.
  app.addHook('preHandler', (request, _reply, done) => {
    const by = callerOf(request);
    if (by === null) done();
    else caller.run(by, done);
  });
}

/** Whose work a request is: the user's, whatever the credential, the share link's, or its address's. An executor's is the server's own. */
export function callerOf({ principal, params, routeOptions, ip }: FastifyRequest): string | null {
  if (principal?.type === 'executor') return null;
  if (principal?.type === 'user') return `user:${principal.id}`;
  if (principal?.type === 'api_key') return `user:${principal.userId}`;
  const { token } = (params ?? {}) as { readonly token?: string };
  return routeOptions.config.access?.kind === 'share' && token !== undefined ? `share:${token}` : `ip:${ip}`;
}

/** Null if no caller is required: that needs neither the store nor a turn of the event loop. */
function admit(request: FastifyRequest, access: Access, identify: Identify): Promise<Principal> | null {
  switch (access.kind) {
    case 'none':
      return null;
    // There is no credential here: without this check, any page could make its readers' browsers write.
    case 'share':
    case 'pending':
      if (!SAFE_METHODS.has(request.method)) refuseOtherOrigin(request);
      return null;
    case 'executor':
      return admitExecutor(request, identify);
    case 'local':
      return isFromThisMachine(request)
        ? null
        : admitMember(request, { ...access, kind: 'member' }, identify);
    case 'account':
    case 'self':
    case 'member':
      return admitMember(request, access, identify);
    default:
      return access satisfies never;
  }
}

async function admitExecutor(request: FastifyRequest, identify: Identify): Promise<Principal> {
  return required(await identify.executor(request), 'The executor key is missing or wrong');
}

async function admitMember(
  request: FastifyRequest,
  access: Extract<Access, { kind: 'account' | 'self' | 'member' }>,
  identify: Identify,
): Promise<Principal> {
  const principal = required(await identify.member(request), notAuthenticated(request));
  if (principal.type === 'user') requireSameOrigin(request);
  if (access.kind === 'member') permit(principal, access);
  else if (access.kind === 'account' && principal.type !== 'user') {
    throw new AppError('FORBIDDEN', 'Sign in as a user: API keys are not accepted here');
  }
  return principal;
}

const LOCAL_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether the request comes directly from this machine, and means it: a local proxy connects from loopback too, and names its
 * client in a header, or the server by the name that it has outside; so does the page of a stranger whose name was made to lead to
 * loopback (DNS rebinding). A request with a credential is checked by that.
 */
function isFromThisMachine({ socket, ip, headers }: FastifyRequest): boolean {
  const told = ['authorization', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
  const address = socket.remoteAddress ?? ip;
  return (
    told.every((name) => headers[name] === undefined) &&
    /^(::ffff:)?127\.|^::1$/.test(address) &&
    address === ip &&
    LOCAL_HOST.test(headers.host ?? '')
  );
}

/** What was sent and is not accepted is told apart from nothing. */
function notAuthenticated({ headers }: FastifyRequest): string {
  if (headers.authorization !== undefined)
    return 'The API key is not valid: it is wrong, or has expired or been revoked. Send "Authorization: Bearer svc_…"';
  return 'Not authenticated: sign in, or send an API key as "Authorization: Bearer svc_…"';
}

function required(principal: Principal | null, message: string): Principal {
  if (principal === null) throw new AppError('AUTH_ERROR', message);
  return principal;
}

/** `FORBIDDEN` names the missing role or scope. For needs of a request beyond its route's own access. */
export function permit(principal: Principal, access: Extract<Access, { kind: 'member' }>): void {
  if (principal.type !== 'user' && principal.type !== 'api_key') {
    throw new AppError('FORBIDDEN', `This needs the role "${access.role}"`);
  }
  if (!roleAtLeast(principal.role, access.role)) {
    throw new AppError('FORBIDDEN', `This needs the role "${access.role}"; yours is "${principal.role}"`);
  }
  if (principal.type === 'api_key' && !scopeAllows(principal.scopes, access.scope)) {
    throw new AppError(
      'FORBIDDEN',
      `This needs the scope "${access.scope}", which the API key does not have`,
    );
  }
}

/**
 * A write with a session cookie must prove that it comes from the server's own pages. Browsers do so automatically; other
 * clients send `Origin`, or use an API key.
 */
function requireSameOrigin(request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  refuseOtherOrigin(request);
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site === undefined && origin === undefined) {
    throw new AppError(
      'FORBIDDEN',
      'A write with a session cookie must come from the same origin: send "Origin", or use an API key',
    );
  }
}

/** Refuses requests that a browser marks as cross-origin. Source: https://words.filippo.io/csrf/. */
function refuseOtherOrigin(request: FastifyRequest): void {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site === 'same-origin') return;
  if (site === undefined && (origin === undefined || sameHost(origin, request.host))) return;
  throw new AppError('FORBIDDEN', 'A write from a browser must come from the same origin');
}

function sameHost(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host;
}

/** The principal of a route that needs one. */
export function principalOf(request: FastifyRequest): Principal {
  return required(request.principal, 'Not authenticated');
}
