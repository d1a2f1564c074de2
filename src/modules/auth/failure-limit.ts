import { isIPv6 } from 'node:net';
import { AppError } from '../../base/errors.ts';
import type { Db, Store } from '../../store/store.ts';
import { deleteFailuresOf, insertFailures, selectFailureTime } from './auth-store.ts';

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/**
 * Failures until even the right password or code is refused. What anybody can reach by guessing from many networks has a far
 * higher bound than one client: otherwise five requests would lock a stranger's account.
 */
const BOUNDS = {
  /** One network, device or session; and codes, which take the right password first. */
  client: [
    { ms: QUARTER_MS, failuresMax: 5 },
    { ms: DAY_MS, failuresMax: 20 },
  ],
  /** All networks together, on one share link. */
  link: [
    { ms: QUARTER_MS, failuresMax: 30 },
    { ms: DAY_MS, failuresMax: 200 },
  ],
  /** All networks together, on one account. */
  account: [
    { ms: QUARTER_MS, failuresMax: 100 },
    { ms: DAY_MS, failuresMax: 400 },
  ],
} as const;

/** What failures are counted for. */
export interface Subject {
  readonly name: string;
  readonly bound: keyof typeof BOUNDS;
}

/** Failed tries of one thing, counted for each subject. */
export interface Failures {
  readonly subjects: readonly Subject[];
  /** The email of the account that was tried, known or not: unlocking it forgets them. Null where none was named. */
  readonly account: string | null;
}

/** Counts failed passwords and codes by account and by network, across all control planes. */
export interface FailureLimit {
  /** `RATE_LIMITED` if any subject has too many, with the seconds to wait. `db`: default committed state. */
  require(failures: Failures, now: number, db?: Db): Promise<void>;
  failed(failures: Failures, now: number): Promise<void>;
  /** Forgets what these subjects failed at this account; others' failures stay counted. */
  succeeded(failures: Failures): Promise<void>;
}

export function createFailureLimit(store: Store): FailureLimit {
  return {
    async require({ subjects }, now, db = store.read) {
      for (const { name, bound } of subjects) {
        for (const { ms, failuresMax } of BOUNDS[bound]) {
          const oldest = await selectFailureTime(db, name, now - ms, failuresMax);
          if (oldest === null) continue;
          throw new AppError('RATE_LIMITED', 'Too many failed attempts; try again later', {
            retryAfterSeconds: Math.max(1, (oldest + ms - now) / 1_000),
          });
        }
      }
    },
    failed: (failures, now) => store.write((tx) => insertFailures(tx, failures, now)),
    succeeded: (failures) => store.write((tx) => deleteFailuresOf(tx, failures)),
  };
}

/** The network of one client: an IPv4 address, or the /64 of an IPv6 address, where a client can choose any address. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.') || !isIPv6(address)) return address;
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
