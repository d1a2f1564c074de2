import type { Test } from 'tap';
import { seededRandom } from '../../bench/support/seeded-random.ts';

export interface Seeded {
  readonly seed: number;
  /** In [0, 1). */
  readonly random: () => number;
  /** A whole number from 0 up to `max`, without it. */
  upTo(max: number): number;
  /** Every `apart`th of these in their order, from a drawn one of the first on. */
  someOf<T>(items: readonly T[], apart: number): readonly T[];
}

/** Randomness that repeats: from `HEADGATE_TEST_SEED`, else a new one, which is printed so that a failure can be repeated. */
export function seeded(t: Test): Seeded {
  const given = process.env['HEADGATE_TEST_SEED'];
  const seed = given === undefined ? Math.floor(Math.random() * 1e9) : Number(given);
  t.comment(`HEADGATE_TEST_SEED=${seed}`);
  const random = seededRandom(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  return {
    seed,
    random,
    upTo,
    someOf(items, apart) {
      const first = upTo(apart);
      return items.filter((_, index) => index % apart === first);
    },
  };
}
