import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { createTurns } from '../../base/concurrency/turns.ts';
import { AppError } from '../../base/errors.ts';
import { randomToken, secretsEqual, sha256 } from '../../base/ids.ts';
import type { Config } from '../../config.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { UserRow } from '../users/user.ts';
import {
  consumeRecovery,
  consumeTotpStep,
  hasUsers,
  insertUser,
  lockUser,
  selectUser,
  selectUserByEmail,
  updateTotp,
} from '../users/user-store.ts';
import {
  deleteSecretsOf,
  deleteSession,
  insertFailures,
  insertSecretOnce,
  insertSession,
  selectSecret,
  selectSession,
} from './auth-store.ts';
import { type FailureLimit, networkOf } from './failure-limit.ts';
import type { Passwords } from './password.ts';
import { type Enrolment, makeEnrolment, matchTotp, plainCode, recoveryHash } from './totp.ts';

const PENDING_MS = 5 * 60_000;
/** Each start while there is no user prints a token of its own: of several servers on one store the tokens of all are good. */
const SETUP_TOKENS = 'setup_token/';
const SETUP_TOKEN_MS_MAX = 86_400_000;
const WAITING_MAX = 100;

/** Where a request came from, for sessions, limits and the audit log. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** A cookie's value, and when it ends. */
export interface IssuedSession {
  readonly token: string;
  readonly expiresAt: number;
}

export interface AuthDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly passwords: Passwords;
  readonly limit: FailureLimit;
  readonly config: Config;
}

export type Auth = ReturnType<typeof createAuth>;

interface Attempt {
  readonly subjects: readonly string[];
  readonly action: 'auth.setup' | 'auth.login' | 'auth.verify_totp';
  readonly actor: Actor;
}

/**
 * Sign-in in two steps, the first user, and what sessions are made of. Attempts on one account or from one address are decided
 * one after another, so that a burst of guesses gets no more tries than a row of them.
 */
export function createAuth({ store, clock, cipher, passwords, limit, config }: AuthDeps) {
  const takeTurn = createTurns(WAITING_MAX);
  const setupRequired = async () => !(await hasUsers(store.read));

  /** A new one-time token for the console while there is no user; null afterwards. Good for a day, or until the setup. */
  async function issueSetupToken(): Promise<string | null> {
    if (!(await setupRequired())) return null;
    const token = randomToken();
    const now = clock.now();
    await store.write(async (tx) => {
      await deleteSecretsOf(tx, SETUP_TOKENS, now - SETUP_TOKEN_MS_MAX);
      await insertSecretOnce(tx, SETUP_TOKENS + sha256(token), '', now);
    });
    return token;
  }

  /** Creates the first superadmin, once, and gives its TOTP enrolment. */
  async function setup(
    input: { token: string; email: string; name: string; password: string },
    origin: Origin,
  ): Promise<Enrolment> {
    const subjects = [`setup:${networkOf(origin.address)}`];
    await takeTurn(subjects, () =>
      requireSetupToken(input.token, { subjects, ...anonymous('auth.setup', origin) }),
    );
    const passwordHash = await passwords.hash(input.password);
    const enrolment = makeEnrolment(input.email);
    await store.write(async (tx) => {
      const now = clock.now();
      // All of them: two setups with different tokens wait for each other here, and the second finds none.
      const tokens = await deleteSecretsOf(tx, SETUP_TOKENS, null);
      const mine = tokens.includes(SETUP_TOKENS + sha256(input.token));
      if (!mine || (await hasUsers(tx))) throw setUpAlready();
      const { email, name } = input;
      const user = await insertUser(tx, { email, name, role: 'superadmin', passwordHash }, now);
      await saveEnrolment(tx, user.id, enrolment);
      await insertAudit(tx, actorOf(user, origin), entryOf('auth.setup', user.id), now);
    });
    return enrolment;
  }

  async function requireSetupToken(token: string, attempt: Attempt): Promise<void> {
    if (!(await setupRequired())) throw setUpAlready();
    await limit.require(attempt.subjects, clock.now());
    // Found by its hash, which nobody can choose: the time that takes tells nothing.
    if ((await selectSecret(store.read, SETUP_TOKENS + sha256(token))) !== null) return;
    // The setup that took the tokens may have ended between the two looks.
    if (!(await setupRequired())) throw setUpAlready();
    await noteFailure(attempt);
    throw new AppError(
      'AUTH_ERROR',
      'The setup token is wrong: the server prints it on its console at the start',
    );
  }

  async function saveEnrolment(tx: Tx, userId: number, enrolment: Enrolment): Promise<void> {
    const sealed = cipher.encrypt(enrolment.secret, totpContext(userId));
    await updateTotp(tx, userId, sealed, enrolment.recovery_codes.map(recoveryHash));
  }

  /** First step: a pending session, and the enrolment while the user has not confirmed it with a code. */
  async function login(
    email: string,
    password: string,
    origin: Origin,
  ): Promise<{ session: IssuedSession; enrolment: Enrolment | null }> {
    const subjects = [`login:${email.toLowerCase()}`, `login:${networkOf(origin.address)}`];
    const user = await takeTurn(subjects, async () => {
      await limit.require(subjects, clock.now());
      const found = await selectUserByEmail(store.read, email);
      const right = await passwords.verify(found?.password_hash ?? null, password);
      if (found !== null && right && found.status === 'active') return found;
      await noteFailure({ subjects, ...anonymous('auth.login', origin, email) });
      throw loginRefused();
    });
    const session = { token: randomToken(), expiresAt: clock.now() + PENDING_MS };
    const enrolment = await store.write(async (tx) => {
      const locked = await lockUser(tx, store.dialect, user.id);
      // The password may have been changed, or the account disabled, while it was checked.
      if (locked?.password_hash !== user.password_hash || locked.status !== 'active') throw loginRefused();
      await addSession(tx, locked.id, 'pending', session, origin);
      return openEnrolment(tx, locked);
    });
    return { session, enrolment };
  }

  async function openEnrolment(tx: Tx, user: UserRow): Promise<Enrolment | null> {
    if (user.totp_confirmed === 1) return null;
    if (user.totp_secret_encrypted !== null)
      return makeEnrolment(user.email, totpSecretOf(user) ?? undefined);
    const enrolment = makeEnrolment(user.email);
    await saveEnrolment(tx, user.id, enrolment);
    return enrolment;
  }

  function totpSecretOf(user: UserRow): string | null {
    if (user.totp_secret_encrypted === null) return null;
    return cipher.decrypt(user.totp_secret_encrypted, totpContext(user.id));
  }

  async function addSession(
    tx: Tx,
    userId: number,
    kind: 'pending' | 'full',
    { token, expiresAt }: IssuedSession,
    { address, userAgent }: Origin,
  ): Promise<void> {
    const now = clock.now();
    await insertSession(tx, { tokenHash: sha256(token), userId, kind, now, expiresAt, address, userAgent });
  }

  /** Second step: the full session. A code works once; a recovery code too. */
  async function verifyTotp(pendingToken: string, code: string, origin: Origin): Promise<IssuedSession> {
    const pendingHash = sha256(pendingToken);
    const pending = await selectSession(store.read, pendingHash, 'pending');
    const user = pending === null ? null : await selectUser(store.read, pending.user_id);
    if (user === null) throw signInExpired();
    const subjects = [`totp:${user.email}`, `totp:${networkOf(origin.address)}`];
    const attempt: Attempt = { subjects, action: 'auth.verify_totp', actor: actorOf(user, origin) };
    const session = await takeTurn(subjects, () =>
      decideCode(user.id, pendingHash, plainCode(code), attempt, origin),
    );
    await limit.succeeded(`login:${user.email}`);
    await limit.succeeded(`totp:${user.email}`);
    return session;
  }

  /** Locks the user, so that of equal codes at one time, on any control plane, one is decided after the other. */
  async function decideCode(
    userId: number,
    pendingHash: string,
    code: string,
    attempt: Attempt,
    origin: Origin,
  ): Promise<IssuedSession> {
    const token = randomToken();
    const outcome = await store.write(async (tx) => {
      const now = clock.now();
      const user = await lockUser(tx, store.dialect, userId);
      const pending = await selectSession(tx, pendingHash, 'pending');
      if (user === null || pending === null || pending.expires_at <= now || user.status !== 'active')
        return 'expired';
      await limit.require(attempt.subjects, now, tx);
      if (!(await consumeCode(tx, user, code, now))) {
        await insertFailures(tx, attempt.subjects, now);
        await insertAudit(tx, attempt.actor, { ...entryOf(attempt.action, userId), outcome: 'denied' }, now);
        return 'wrong';
      }
      const session = { token, expiresAt: now + config.security.session_ttl_minutes * 60_000 };
      await deleteSession(tx, pending.id, userId);
      await addSession(tx, userId, 'full', session, origin);
      await insertAudit(tx, attempt.actor, entryOf('auth.login', userId), now);
      return session;
    });
    if (outcome === 'expired') throw signInExpired();
    if (outcome === 'wrong') throw new AppError('AUTH_ERROR', 'The code is wrong or was used already');
    return outcome;
  }

  async function consumeCode(tx: Tx, user: UserRow, code: string, now: number): Promise<boolean> {
    const secret = totpSecretOf(user);
    const step = secret === null ? null : matchTotp(secret, code, now);
    if (step !== null) return consumeTotpStep(tx, user.id, step);
    const hashes = JSON.parse(user.recovery_hashes_json) as string[];
    const hash = recoveryHash(code);
    const rest = hashes.filter((stored) => !secretsEqual(stored, hash));
    if (rest.length === hashes.length) return false;
    return consumeRecovery(tx, user.id, user.recovery_hashes_json, rest);
  }

  async function noteFailure({ subjects, action, actor }: Attempt): Promise<void> {
    await store.write(async (tx) => {
      await insertFailures(tx, subjects, clock.now());
      await insertAudit(tx, actor, { ...entryOf(action, null), outcome: 'denied' }, clock.now());
    });
  }

  return { setupRequired, issueSetupToken, setup, login, verifyTotp };
}

/** What a TOTP secret is sealed for. */
export function totpContext(userId: number): string {
  return `user/${userId}/totp`;
}

function entryOf(action: string, userId: number | null) {
  return { action, resourceType: 'user', resourceId: userId };
}

function actorOf(user: UserRow, { address, requestId }: Origin): Actor {
  return { type: 'user', id: user.id, name: user.email, address, requestId };
}

function anonymous(action: Attempt['action'], { address, requestId }: Origin, name = 'anonymous') {
  return { action, actor: { type: 'public', id: null, name, address, requestId } satisfies Actor };
}

function setUpAlready(): AppError {
  return new AppError('CONFLICT', 'The server is set up already: sign in');
}

function loginRefused(): AppError {
  return new AppError('AUTH_ERROR', 'The email or the password is wrong');
}

function signInExpired(): AppError {
  return new AppError('AUTH_ERROR', 'The sign-in has expired: start again with email and password');
}
