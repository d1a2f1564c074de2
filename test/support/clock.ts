import type { Clock } from '../../src/base/clock.ts';

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export const TEST_NOW = Date.parse('2026-01-15T12:00:00.000Z');

export function createTestClock(start = TEST_NOW): TestClock {
  let now = start;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
