import type { Clock } from '../../base/clock.ts';
import type { createKeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { UserRow } from '../users/user.ts';
import { insertFailures } from './auth-store.ts';
import type { FailureLimit } from './failure-limit.ts';

/** Where a request came from, for sessions, limits and the audit log. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** One try of a password, a code or a setup token. Failures are counted for each of its subjects. */
export interface Attempt {
  readonly subjects: readonly string[];
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
  { subjects, action, actor }: Attempt,
): Promise<void> {
  await store.write(async (tx) => {
    await insertFailures(tx, subjects, clock.now());
    await insertAudit(tx, actor, { ...entryOf(action, null), outcome: 'denied' }, clock.now());
  });
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
