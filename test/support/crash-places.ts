import { oneIn } from './fault-list.ts';
import type { Seeded } from './seed.ts';

/** Before its first statement, after that, and with all of them made: nothing of it may be there. */
const UNCOMMITTED = ['waiting', 'begun', 'uncommitted'];

/**
 * The places of `base/crash-point.ts` at which one transaction is to die: after its commit, and one of those before it, drawn anew for each
 * transaction (`HEADGATE_TEST_TIMES=3`: all of them).
 */
export function crashPlaces({ someOf }: Seeded): readonly string[] {
  return [...someOf(UNCOMMITTED, oneIn(3, 3)), 'committed'];
}
