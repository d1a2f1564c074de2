import { fewOrMany } from './fault-list.ts';
import type { Seeded } from './seed.ts';

/** With all of its statements made. */
const WRITTEN = ['uncommitted', 'committed'];

/**
 * The places of `base/crash-point.ts` at which one transaction is to die: before and after its commit, and one of the two at which nothing
 * of it is written yet, drawn anew for each transaction (`HEADGATE_TEST_TIMES=2`: both).
 */
export function crashPlaces({ upTo }: Seeded): readonly string[] {
  if (fewOrMany(1, 1) > 1) return ['waiting', 'begun', ...WRITTEN];
  return [upTo(2) === 0 ? 'waiting' : 'begun', ...WRITTEN];
}
