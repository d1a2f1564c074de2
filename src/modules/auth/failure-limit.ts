import { isIPv6 } from 'node:net';
import { AppError } from '../../base/errors.ts';
import type { Db, Store } from '../../store/store.ts';
import { deleteFailures, insertFailures, selectFailureTimes } from './auth-store.ts';

const MINUTE_MS = 60_000;
/** While blocked, even the right password or code is refused. */
const WINDOWS = [
  { ms: 15 * MINUTE_MS, failuresMax: 5 },
  { ms: 24 * 60 * MINUTE_MS, failuresMax: 20 },
] as const;

/** Counts failures per account and per address, of passwords and codes alike, across all control planes. */
export interface FailureLimit {
  /** `RATE_LIMITED` if any subject has too many, with the seconds to wait. `db`: default committed state. */
  require(subjects: readonly string[], now: number, db?: Db): Promise<void>;
  failed(subjects: readonly string[], now: number): Promise<void>;
  succeeded(subject: string): Promise<void>;
}

export function createFailureLimit(store: Store): FailureLimit {
  return {
    async require(subjects, now, db = store.read) {
      for (const { ms, failuresMax } of WINDOWS) {
        for (const subject of subjects) {
          const times = await selectFailureTimes(db, subject, now - ms, failuresMax);
          const oldest = times[failuresMax - 1];
          if (oldest === undefined) continue;
          throw new AppError('RATE_LIMITED', 'Too many failed attempts; try again later', {
            retryAfterSeconds: Math.max(1, (oldest + ms - now) / 1_000),
          });
        }
      }
    },
    failed: (subjects, now) => store.write((tx) => insertFailures(tx, subjects, now)),
    succeeded: (subject) => store.write((tx) => deleteFailures(tx, subject)),
  };
}

/** The network of one client: an IPv4 address, or the /64 of an IPv6 address, where a client can choose any address. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16));
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}
