import type { Test } from 'tap';
import type { Role } from '../../../src/http/access.ts';
import {
  deleteOtherSessionsOf,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  selectSessionsOf,
  unlockAccount,
} from '../../../src/modules/auth/auth-store.ts';
import { createFailureLimit } from '../../../src/modules/auth/failure-limit.ts';
import { createPasswords, type Passwords } from '../../../src/modules/auth/password.ts';
import { registerAccountRoutes } from '../../../src/modules/users/account-routes.ts';
import { createAccount } from '../../../src/modules/users/account-service.ts';
import type { UserRow } from '../../../src/modules/users/user.ts';
import { registerUserRoutes } from '../../../src/modules/users/user-routes.ts';
import { createUsers } from '../../../src/modules/users/user-service.ts';
import { insertUser } from '../../../src/modules/users/user-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { type Client, createTestApp, type TestApp, userOf } from '../../support/app.ts';
import { QUICK_PASSWORDS } from '../../support/visitor.ts';

export interface UsersApp extends TestApp {
  readonly passwords: Passwords;
  /** A stored user, `<name>@example.com`, and the client that acts for them. */
  person(name: string, role: Role): Promise<{ user: UserRow; path: string; client: Client }>;
  /** A stored full session of the user. */
  session(user: UserRow): Promise<void>;
  sessionIds(user: UserRow): Promise<number[]>;
}

/** The users module over a store, with the auth module’s passwords (their hashes cheap), sessions and limits. */
export async function createUsersApp(t: Test, store: Store): Promise<UsersApp> {
  const passwords = createPasswords(QUICK_PASSWORDS);
  const app = await createTestApp(t, (app, { clock }) => {
    const users = createUsers({
      store,
      clock,
      hashPassword: passwords.hash,
      deleteSessionsOf,
      unlockAccount,
    });
    const sessions = {
      listOf: selectSessionsOf,
      delete: deleteSession,
      deleteAllOf: deleteSessionsOf,
      deleteOthersOf: deleteOtherSessionsOf,
    };
    const limit = createFailureLimit(store);
    const account = createAccount({ store, clock, passwords, limit, unlockAccount, sessions });
    registerUserRoutes(app, { store, users, listSessions: account.listSessions });
    registerAccountRoutes(app, account);
  });
  let issued = 0;
  return {
    ...app,
    passwords,
    async person(name, role) {
      const email = `${name}@example.com`;
      const input = { email, name, role, passwordHash: 'none' };
      const user = await store.write((tx) => insertUser(tx, input, app.clock.now()));
      return { user, path: `/api/users/${user.id}`, client: app.as(userOf(role, user.id, email)) };
    },
    async session(user) {
      const now = app.clock.now();
      issued += 1;
      const tokenHash = `token-${issued}`;
      const times = { now, expiresAt: now + 60_000 };
      await store.write((tx) =>
        insertSession(tx, {
          tokenHash,
          userId: user.id,
          kind: 'full',
          ...times,
          address: '::1',
          userAgent: 'ua',
        }),
      );
    },
    sessionIds: async (user) => (await selectSessionsOf(store.read, user.id)).map((row) => row.id),
  };
}
