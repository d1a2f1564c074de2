import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { createCipher } from '../../../src/base/cipher.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { type Config, loadConfig } from '../../../src/config.ts';
import { installIdempotency } from '../../../src/http/idempotency.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import { registerAuditRoutes } from '../../../src/modules/audit/audit-routes.ts';
import { registerApiKeyRoutes } from '../../../src/modules/auth/api-keys/api-key-routes.ts';
import { registerAuthRoutes } from '../../../src/modules/auth/auth-routes.ts';
import { createAuth } from '../../../src/modules/auth/auth-service.ts';
import { deleteSessionsOf, selectSessionsOf, unlockAccount } from '../../../src/modules/auth/auth-store.ts';
import { createFailureLimit } from '../../../src/modules/auth/failure-limit.ts';
import { createIdentify } from '../../../src/modules/auth/identify.ts';
import { createPasswords, type Passwords } from '../../../src/modules/auth/password.ts';
import { registerUserRoutes } from '../../../src/modules/users/user-routes.ts';
import { createUsers } from '../../../src/modules/users/user-service.ts';
import { createIdempotencyStore } from '../../../src/store/idempotency-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { eachStore } from '../../support/stores.ts';
import { QUICK_PASSWORDS, type SignedIn, setUp, Visitor } from '../../support/visitor.ts';
import { type WatchedHttp, watchHttp } from '../../support/watched-http.ts';

const MASTER_KEY = '9f4c1e7ab03d58e2f61c7d90ab34ef12';
export const EXECUTOR_KEY = 'c83f0be1d5a94727b6e2f40918ad63c7';

/** Sign-in, keys, users and the audit log over a store, with everything real: as the control plane has them. */
export interface AuthApp extends WatchedHttp {
  readonly store: Store;
  readonly clock: TestClock;
  readonly setupToken: string | null;
  visitor(address?: string): Visitor;
  withToken(token: string): Visitor;
  /** Sets the server up, and is the signed-in first superadmin. */
  superadmin(): Promise<SignedIn>;
}

export async function createAuthApp(
  t: Test,
  store: Store,
  options: {
    readonly secureCookies?: boolean;
    readonly clock?: TestClock;
    readonly passwords?: Passwords;
  } = {},
): Promise<AuthApp> {
  const clock = options.clock ?? createTestClock(Date.now());
  const config = testConfig();
  const passwords = options.passwords ?? createPasswords(QUICK_PASSWORDS);
  const limit = createFailureLimit(store);
  const auth = createAuth({ store, clock, cipher: createCipher([MASTER_KEY]), config, passwords, limit });
  const sessionIdleMs = config.security.session_idle_minutes * 60_000;
  const identify = createIdentify({
    store,
    clock,
    sessionIdleMs,
    proveExecutorKey: (key) => (key === EXECUTOR_KEY ? 'fingerprint' : null),
  });
  const http = await createHttpServer(config, silentLogger, identify);
  t.teardown(() => http.close());
  const watched = watchHttp(http);
  const now = () => clock.now();
  installIdempotency(http as unknown as FastifyInstance, createIdempotencyStore(store, now));
  registerAuthRoutes(http, { store, clock, auth, secureCookies: options.secureCookies ?? false });
  registerApiKeyRoutes(http, { store, clock });
  const users = createUsers({ store, clock, hashPassword: passwords.hash, deleteSessionsOf, unlockAccount });
  const listSessions = (id: number) => selectSessionsOf(store.read, id);
  registerUserRoutes(http, { store, users, listSessions });
  registerAuditRoutes(http, store);
  await http.ready();
  const setupToken = await auth.issueSetupToken();
  return {
    ...watched,
    store,
    clock,
    setupToken,
    visitor: (address) => new Visitor(http, {}, address),
    withToken: (token) => new Visitor(http, { authorization: `Bearer ${token}` }),
    superadmin: () => setUp(http, setupToken, clock),
  };
}

/** A test per kind of store, as `eachStore`; every answer must be what the OpenAPI document says. */
export async function eachAuthApp(
  t: Test,
  guarantee: string,
  prove: (t: Test, app: AuthApp) => Promise<void>,
): Promise<void> {
  await eachStore(t, guarantee, async (t, store) => {
    const app = await createAuthApp(t, store);
    await prove(t, app);
    t.same(app.openapi.breaches, [], 'every answer is what the OpenAPI document says');
  });
}

function testConfig(): Config {
  const loaded = loadConfig({ SVC_CONFIG_FILE: '/dev/null', SVC_RATE_LIMIT_PER_MINUTE: '1000000' });
  if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
  return loaded.config;
}
