import fc from 'fast-check';
import t from 'tap';
import { RETRY_AFTER_MAX_MS, retryDelayMs } from '../../src/engine/wait-to-retry.ts';

const POLICY = { maxAttempts: 9, delayMs: 1_000, factor: 2, maxDelayMs: 5_000, jitter: 0.2 };

t.test('the delay grows by its factor up to its bound, and a longer Retry-After wins', async (t) => {
  const delays = [1, 2, 3, 4, 9].map((attempt) => retryDelayMs(POLICY, attempt, () => 0.5));
  t.strictSame(delays, [1_000, 2_000, 4_000, 5_000, 5_000]);
  t.equal(
    retryDelayMs(POLICY, 1, () => 0.5, 30_000),
    30_000,
  );
  t.equal(
    retryDelayMs(POLICY, 1, () => 0.5, 10),
    1_000,
  );
  t.equal(
    retryDelayMs(POLICY, 1, () => 0.5, 1e12),
    RETRY_AFTER_MAX_MS,
  );
});

t.test('jitter moves the delay by its share at most', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, chance) => {
        const plain = Math.min(5_000, 1_000 * 2 ** (attempt - 1));
        const delay = retryDelayMs(POLICY, attempt, () => chance);
        return delay >= plain * 0.8 - 1 && delay <= plain * 1.2 + 1;
      },
    ),
  );
});
