import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, validationError } from '../../base/errors.ts';
import type { Db, Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { UnlockAccount } from './user-service.ts';
import { selectUser, updatePasswordHash } from './user-store.ts';

/** A session as its owner sees it. */
export interface SessionInfo {
  readonly id: number;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
  readonly address: string;
  readonly user_agent: string;
}

/** Supplied by the auth module, which owns sessions. */
export interface SessionsPort {
  listOf(db: Db, userId: number): Promise<readonly SessionInfo[]>;
  /** False if the user has no such session. */
  delete(tx: Tx, id: number, userId: number): Promise<boolean>;
  deleteAllOf(tx: Tx, userId: number): Promise<void>;
  /** Returns the number of deleted sessions. */
  deleteOthersOf(tx: Tx, userId: number, keptId: number): Promise<number>;
}

interface TriedPassword {
  readonly subjects: readonly { readonly name: string; readonly bound: 'client' }[];
  readonly account: string;
}

export interface AccountDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly passwords: {
    hash(
      password: string,
      use: { readonly path: string; readonly about: readonly string[] },
    ): Promise<string>;
    verify(stored: string | null, password: string): Promise<boolean>;
  };
  /** Counts wrong passwords, as sign-in does. */
  readonly limit: {
    require(tried: TriedPassword, now: number): Promise<void>;
    failed(tried: TriedPassword, now: number): Promise<void>;
  };
  readonly unlockAccount: UnlockAccount;
  readonly sessions: SessionsPort;
}

export type Account = ReturnType<typeof createAccount>;

/** The signed-in user's own password and sessions. */
export function createAccount({ store, clock, passwords, limit, unlockAccount, sessions }: AccountDeps) {
  /** Ends every session of the user, including this one. `RATE_LIMITED` after five wrong tries in 15 minutes. */
  async function changePassword(
    userId: number,
    input: { readonly current: string; readonly new: string },
    actor: Actor,
  ): Promise<void> {
    const user = await selectUser(store.read, userId);
    if (user === null) throw new AppError('AUTH_ERROR', 'Not authenticated');
    const subject = { name: `password:${user.email}`, bound: 'client' } as const;
    const attempt = { subjects: [subject], account: user.email };
    await limit.require(attempt, clock.now());
    if (!(await passwords.verify(user.password_hash, input.current))) {
      await limit.failed(attempt, clock.now());
      throw validationError([{ path: 'current', message: 'The "current" password is wrong' }]);
    }
    if (input.new === input.current)
      throw validationError([{ path: 'new', message: 'The "new" password is the current one' }]);
    const hash = await passwords.hash(input.new, { path: 'new', about: [user.email, user.name] });
    await store.write(async (tx) => {
      const now = clock.now();
      await updatePasswordHash(tx, userId, hash, now);
      await sessions.deleteAllOf(tx, userId);
      await unlockAccount(tx, user.email);
      await insertAudit(
        tx,
        actor,
        { action: 'user.change_password', resourceType: 'user', resourceId: userId },
        now,
      );
    });
  }

  async function listSessions(userId: number): Promise<readonly SessionInfo[]> {
    return sessions.listOf(store.read, userId);
  }

  async function endSession(userId: number, id: number, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      if (!(await sessions.delete(tx, id, userId))) throw notFound('session', id);
      const entry = { action: 'session.delete', resourceType: 'session', resourceId: id };
      await insertAudit(tx, actor, entry, clock.now());
    });
  }

  /** Signs the user out everywhere else. */
  async function endOtherSessions(userId: number, keptId: number, actor: Actor): Promise<number> {
    return store.write(async (tx) => {
      const ended = await sessions.deleteOthersOf(tx, userId, keptId);
      const entry = { action: 'session.delete_others', resourceType: 'user', resourceId: userId };
      if (ended > 0) await insertAudit(tx, actor, { ...entry, diff: { ended } }, clock.now());
      return ended;
    });
  }

  return { changePassword, listSessions, endSession, endOtherSessions };
}
