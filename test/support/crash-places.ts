import { fewOrMany } from './fault-list.ts';
import type { Seeded } from './seed.ts';

/** Places of a transaction at which nothing of it is written: before it, and before its first statement. */
const NOTHING_WRITTEN = ['waiting', 'begun'] as const;

export type CrashPlace = (typeof NOTHING_WRITTEN)[number] | 'uncommitted' | 'committed';

/**
 * The places of `base/crash-point.ts` at which one transaction is to die: before and after its commit, and one of those at which nothing
 * is written, drawn anew for each transaction (`HEADGATE_TEST_TIMES=2`: both).
 */
export function crashPlaces({ upTo }: Seeded): readonly CrashPlace[] {
  const drawn = fewOrMany(1, 1) > 1 ? NOTHING_WRITTEN : NOTHING_WRITTEN.slice(upTo(2)).slice(0, 1);
  return [...drawn, 'uncommitted', 'committed'];
}
