import type { Cipher } from '../../base/cipher.ts';
import type { Clock } from '../../base/clock.ts';
import { createKeyedMutex } from '../../base/concurrency/keyed-mutex.ts';
import { AppError } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { insertFailures } from '../auth/auth-store.ts';
import { type FailureLimit, type Failures, networkOf } from '../auth/failure-limit.ts';
import type { Passwords } from '../auth/password.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';

const UNLOCKED_MS = 12 * 3_600_000;
/** Of the token's hash: several links may be open in one browser. */
const NAME_HEX = 12;
const WAITING_MAX = 100;

/** What a browser keeps of a right password. */
export interface UnlockCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeSeconds: number;
}

export interface ShareLockDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: Cipher;
  readonly passwords: Pick<Passwords, 'verify'>;
  readonly limit: FailureLimit;
}

export type ShareLock = ReturnType<typeof createShareLock>;

/**
 * The password of a share link. Who gave it keeps a cookie for 12 hours, sealed for this token and this password: a rotation, a
 * revocation or another password makes it worthless at once. Nothing is stored for it.
 */
export function createShareLock({ store, clock, cipher, passwords, limit }: ShareLockDeps) {
  const runExclusive = createKeyedMutex(WAITING_MAX);

  /** `AUTH_ERROR` where the link has a password and the cookies do not show that it was given. */
  function requireOpen(row: DashboardRow, cookies: Readonly<Record<string, string | undefined>>): void {
    if (row.share_password_hash === null) return;
    const sealed = cookies[cookieNameOf(row)];
    if (sealed !== undefined && openUntil(sealed, row) > clock.now()) return;
    throw new AppError('AUTH_ERROR', 'This dashboard is protected by a password');
  }

  function openUntil(sealed: string, row: DashboardRow): number {
    try {
      return Number(cipher.decrypt(sealed, contextOf(row)));
    } catch {
      return 0;
    }
  }

  /**
   * The cookie for the right password; null where the link has none. `AUTH_ERROR` for a wrong one; `RATE_LIMITED` after 5 of them
   * in a quarter of an hour, for this link and the network of `actor`, and after 30 from all networks. Attempts on one link are
   * decided one after another.
   */
  async function unlock(row: DashboardRow, password: string, actor: Actor): Promise<UnlockCookie | null> {
    const stored = row.share_password_hash;
    if (stored === null) return null;
    const failures = failuresOf(row, actor);
    await runExclusive(
      failures.subjects.map(({ name }) => name),
      async () => {
        await limit.require(failures, clock.now());
        const right = await passwords.verify(stored, password);
        await noteAttempt(row.id, right ? null : failures, actor);
        if (!right) throw new AppError('AUTH_ERROR', 'The password is wrong');
      },
    );
    // Whoever gives the right password does not refill what strangers may still guess at the link.
    await limit.succeeded({ ...failures, subjects: failures.subjects.slice(0, 1) });
    const value = cipher.encrypt(String(clock.now() + UNLOCKED_MS), contextOf(row));
    return { name: cookieNameOf(row), value, maxAgeSeconds: UNLOCKED_MS / 1_000 };
  }

  async function noteAttempt(id: number, failed: Failures | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const now = clock.now();
      if (failed !== null) await insertFailures(tx, failed, now);
      const outcome = failed === null ? 'success' : 'denied';
      const entry = {
        action: 'dashboard.unlock',
        resourceType: 'dashboard',
        resourceId: id,
        outcome,
      } as const;
      await insertAudit(tx, actor, entry, now);
    });
  }

  return { requireOpen, unlock };
}

function cookieNameOf(row: DashboardRow): string {
  return `svc_share_${row.share_token_hash?.slice(0, NAME_HEX)}`;
}

/** Of this token and this password: another of either counts anew. */
function failuresOf(row: DashboardRow, { address }: Actor): Failures {
  const link = `share:${sha256(contextOf(row))}`;
  const subjects = [
    { name: `${link}:${networkOf(address ?? '')}`, bound: 'client' },
    { name: link, bound: 'link' },
  ] as const;
  return { subjects, account: null };
}

function contextOf(row: DashboardRow): string {
  return `share-unlock/${row.share_token_hash}/${row.share_password_hash}`;
}
