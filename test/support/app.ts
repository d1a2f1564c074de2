import type { FastifyRequest } from 'fastify';
import type { Test } from 'tap';
import { type Cipher, createCipher } from '../../src/base/cipher.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { loadConfig } from '../../src/config.ts';
import type { Principal, Role } from '../../src/http/access.ts';
import type { Identify } from '../../src/http/guard.ts';
import { type App, createHttpServer } from '../../src/http/server.ts';
import { createTestClock, type TestClock } from './clock.ts';
import type { OpenapiCheck } from './openapi-check.ts';
import { watchHttp } from './watched-http.ts';

const PRINCIPAL_HEADER = 'x-test-principal';
const MASTER_KEY = 'b2d1c7e0a94f4a6f8d3e5b7c9a1f2e3d';

/** What a module's dependencies are made of, besides its store. */
export interface AppParts {
  readonly clock: TestClock;
  readonly cipher: Cipher;
}

export interface HttpAnswer<T> {
  readonly status: number;
  /** The parsed JSON; null where the answer has no body. */
  readonly body: T;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

type Headers = Readonly<Record<string, string>>;
type Loose = Record<string, unknown>;

/** Sends requests as one principal. Type arguments name the answer's body. */
export interface Client {
  get<T = Loose>(path: string, headers?: Headers): Promise<HttpAnswer<T>>;
  delete<T = Loose>(path: string, headers?: Headers): Promise<HttpAnswer<T>>;
  post<T = Loose>(path: string, body?: object, headers?: Headers): Promise<HttpAnswer<T>>;
  put<T = Loose>(path: string, body?: object, headers?: Headers): Promise<HttpAnswer<T>>;
}

export interface TestApp extends AppParts {
  readonly app: App;
  /** What looks at every answer. */
  readonly openapi: OpenapiCheck;
  /** A signed-in user of this role (id 1, `<role>@example.com`), or exactly this principal. */
  as(who: Role | Principal): Client;
  /** An API key of a user with this role. */
  withKey(role: Role, ...scopes: string[]): Client;
  /** Without any credential. */
  readonly anonymous: Client;
}

/**
 * The real HTTP server with the routes that `register` adds, a clock that stands still, and a cipher. Only who a request acts
 * for is decided by the test instead of the auth module. Closed when the test ends, which fails where an answer was not
 * what the OpenAPI document says.
 */
export async function createTestApp(
  t: Test,
  register: (app: App, parts: AppParts) => void | Promise<void>,
): Promise<TestApp> {
  const loaded = loadConfig({});
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  const parts = { clock: createTestClock(), cipher: createCipher([MASTER_KEY]) };
  const app = await createHttpServer(loaded.config, silentLogger, identifyByHeader);
  const { openapi } = watchHttp(app);
  t.teardown(async () => {
    await app.close();
    if (openapi.breaches.length > 0)
      throw new Error(
        `answers that the OpenAPI document does not declare:\n${[...new Set(openapi.breaches)].join('\n')}`,
      );
  });
  await register(app, parts);
  await app.ready();
  return {
    app,
    openapi,
    ...parts,
    as: (who) => clientOf(app, typeof who === 'string' ? userOf(who) : who),
    withKey: (role, ...scopes) =>
      clientOf(app, { type: 'api_key', id: 1, userId: 1, name: 'test key', role, scopes }),
    anonymous: clientOf(app, null),
  };
}

const identifyByHeader: Identify = {
  member: async (request) => principalIn(request, ['user', 'api_key']),
  executor: async (request) => principalIn(request, ['executor']),
};

function principalIn(request: FastifyRequest, types: readonly Principal['type'][]): Principal | null {
  const header = request.headers[PRINCIPAL_HEADER];
  const principal = typeof header === 'string' ? (JSON.parse(header) as Principal) : null;
  return principal !== null && types.includes(principal.type) ? principal : null;
}

/** The principal of a signed-in user. */
export function userOf(role: Role, id = 1, name = `${role}@example.com`): Principal {
  return { type: 'user', id, name, role, sessionId: 1 };
}

function clientOf(app: App, principal: Principal | null): Client {
  const base: Record<string, string> = {};
  if (principal !== null) base[PRINCIPAL_HEADER] = JSON.stringify(principal);
  if (principal?.type === 'user') base['sec-fetch-site'] = 'same-origin';
  async function send<T>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body: object | undefined,
    headers: Headers = {},
  ): Promise<HttpAnswer<T>> {
    const answer = await app.inject({
      method,
      url,
      headers: { ...base, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: answer.statusCode,
      body: (answer.body === '' ? null : JSON.parse(answer.body)) as T,
      text: answer.body,
      headers: answer.headers as HttpAnswer<T>['headers'],
    };
  }
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
  };
}
