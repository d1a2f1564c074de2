import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { randomToken, sha256 } from '../../base/ids.ts';
import type { Tx } from '../../store/store.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { lockUser, selectUser, selectUserByEmail } from '../users/user-store.ts';
import { deleteSession, insertFailures, insertSession, selectSession } from './auth-store.ts';
import type { DeviceCookie, KnownDevices } from './known-devices.ts';
import type { Passwords } from './password.ts';
import {
  type Attempt,
  type AttemptDeps,
  actorOf,
  anonymous,
  entryOf,
  namesOf,
  noteFailure,
  type Origin,
  signInSubjects,
} from './sign-in-attempt.ts';
import { type Enrolment, plainCode } from './totp.ts';
import type { TotpSecrets } from './totp-secrets.ts';

const PENDING_MS = 5 * 60_000;

/** A cookie's value and expiry. */
export interface IssuedSession {
  readonly token: string;
  readonly expiresAt: number;
}

export interface SignInDeps extends AttemptDeps {
  readonly passwords: Passwords;
  readonly secrets: TotpSecrets;
  readonly devices: KnownDevices;
  /** How long a session lasts. */
  readonly sessionMs: number;
}

/** Sign-in in two steps: the password, then a code. */
export function createSignIn(deps: SignInDeps) {
  const { store, clock, passwords, limit, secrets, devices, runExclusive } = deps;

  /** First step: a pending session, and the enrolment until the user has confirmed it with a code. */
  async function login(
    email: string,
    password: string,
    origin: Origin,
  ): Promise<{ session: IssuedSession; enrolment: Enrolment | null }> {
    const account = email.toLowerCase();
    const found = await selectUserByEmail(store.read, account);
    const device = found === null ? null : devices.deviceOf(found.id, origin.cookies);
    const subjects = signInSubjects('login', account, origin, device);
    const attempt = { subjects, account, ...anonymous('auth.login', origin, email) };
    const user = await runExclusive(namesOf(attempt), async () => {
      await limit.require(attempt, clock.now());
      const right = await passwords.verify(found?.password_hash ?? null, password);
      if (found !== null && right && found.status === 'active') return found;
      await noteFailure(deps, attempt);
      throw loginRefused();
    });
    const session = { token: randomToken(), expiresAt: clock.now() + PENDING_MS };
    const enrolment = await store.write(async (tx) => {
      const locked = await lockUser(tx, store.dialect, user.id);
      // The password may have been changed, or the account disabled, while it was checked.
      if (locked?.password_hash !== user.password_hash || locked.status !== 'active') throw loginRefused();
      await addSession(tx, clock, { userId: locked.id, kind: 'pending' }, session, origin);
      return secrets.open(tx, locked);
    });
    return { session, enrolment };
  }

  /** Second step: the full session. A code works once, and so does a recovery code. */
  async function verifyTotp(
    pendingToken: string,
    code: string,
    origin: Origin,
  ): Promise<{ session: IssuedSession; device: DeviceCookie }> {
    const pendingHash = sha256(pendingToken);
    const pending = await selectSession(store.read, pendingHash, 'pending');
    const user = pending === null ? null : await selectUser(store.read, pending.user_id);
    if (user === null) throw signInExpired();
    const device = devices.deviceOf(user.id, origin.cookies);
    const account = user.email;
    const subjects = signInSubjects('totp', account, origin, device);
    const attempt: Attempt = {
      subjects,
      account,
      action: 'auth.verify_totp',
      actor: actorOf(user, origin),
    };
    const session = await runExclusive(namesOf(attempt), () =>
      decideCode(deps, { userId: user.id, pendingHash, code: plainCode(code) }, attempt, origin),
    );
    await limit.succeeded({
      subjects: [...subjects, ...signInSubjects('login', account, origin, device)],
      account,
    });
    return { session, device: devices.issue(user.id, device) };
  }

  return { login, verifyTotp };
}

/** Locks the user, so that equal codes sent at the same time, to any control plane, are decided one after the other. */
async function decideCode(
  { store, clock, limit, secrets, sessionMs }: SignInDeps,
  {
    userId,
    pendingHash,
    code,
  }: { readonly userId: number; readonly pendingHash: string; readonly code: string },
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
    await limit.require(attempt, now, tx);
    if (!(await secrets.consume(tx, user, code, now))) {
      await insertFailures(tx, attempt, now);
      await insertAudit(tx, attempt.actor, { ...entryOf(attempt.action, userId), outcome: 'denied' }, now);
      return 'wrong';
    }
    const session = { token, expiresAt: now + sessionMs };
    await deleteSession(tx, pending.id, userId);
    await addSession(tx, clock, { userId, kind: 'full' }, session, origin);
    await insertAudit(tx, attempt.actor, entryOf('auth.login', userId), now);
    return session;
  });
  if (outcome === 'expired') throw signInExpired();
  if (outcome === 'wrong') throw new AppError('AUTH_ERROR', 'The code is wrong or was already used');
  return outcome;
}

async function addSession(
  tx: Tx,
  clock: Clock,
  owner: { readonly userId: number; readonly kind: 'pending' | 'full' },
  { token, expiresAt }: IssuedSession,
  { address, userAgent }: Origin,
): Promise<void> {
  const now = clock.now();
  await insertSession(tx, { tokenHash: sha256(token), ...owner, now, expiresAt, address, userAgent });
}

function loginRefused(): AppError {
  return new AppError('AUTH_ERROR', 'The email or the password is wrong');
}

function signInExpired(): AppError {
  return new AppError('AUTH_ERROR', 'The sign-in has expired: start again with email and password');
}
