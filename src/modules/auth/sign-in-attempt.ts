import type { Clock } from '../../base/clock.ts';
import type { createKeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { UserRow } from '../users/user.ts';
import { insertFailures } from './auth-store.ts';
import { type FailureLimit, type Failures, networkOf, type Subject } from './failure-limit.ts';

/** Where a request came from, for sessions, limits and the audit log. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly requestId: string;
}

/** One try of a password, a code or a setup token. */
export interface Attempt extends Failures {
  readonly action: 'auth.setup' | 'auth.login' | 'auth.verify_totp';
  readonly actor: Actor;
}

/** The dependencies of attempts. */
export interface AttemptDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly limit: FailureLimit;
  /**
   * Runs attempts on one account or from one address one after another, so that parallel guesses get no more tries than
   * sequential ones.
   */
  readonly runExclusive: ReturnType<typeof createKeyedMutex>;
}

export async function noteFailure(
  { store, clock }: Pick<AttemptDeps, 'store' | 'clock'>,
  attempt: Attempt,
): Promise<void> {
  await store.write(async (tx) => {
    await insertFailures(tx, attempt, clock.now());
    await insertAudit(
      tx,
      attempt.actor,
      { ...entryOf(attempt.action, null), outcome: 'denied' },
      clock.now(),
    );
  });
}

/**
 * What a failed sign-in to an account counts for. A known device counts for itself alone: it is neither locked out by what
 * others fail, nor gets more tries than a network.
 */
export function signInSubjects(
  step: 'login' | 'totp',
  email: string,
  { address }: Origin,
  device: string | null,
): Subject[] {
  if (device !== null) return [{ name: `${step}:${email} ${device}`, bound: 'client' }];
  return [
    { name: `${step}:${networkOf(address)}`, bound: 'client' },
    // A code is tried only after the right password, and a million codes are few: strangers cannot reach this bound.
    { name: `${step}:${email}`, bound: step === 'totp' ? 'client' : 'account' },
  ];
}

export function namesOf({ subjects }: Failures): string[] {
  return subjects.map(({ name }) => name);
}

export function entryOf(action: string, userId: number | null) {
  return { action, resourceType: 'user', resourceId: userId };
}

export function actorOf(user: UserRow, { address, requestId }: Origin): Actor {
  return { type: 'user', id: user.id, name: user.email, address, requestId };
}

export function anonymous(action: Attempt['action'], { address, requestId }: Origin, name = 'anonymous') {
  return { action, actor: { type: 'public', id: null, name, address, requestId } satisfies Actor };
}
