import t from 'tap';
import { LOG_LIMITS, LOG_WINDOW_BYTES_MAX } from '../../../src/modules/run-logs/run-log-limits.ts';
import { LogRate } from '../../../src/modules/run-logs/run-log-rate.ts';

const RATE = 1_000_000;

t.test('an allowance that is used up fills again at the allowed rate, up to its burst', (t) => {
  const rate = new LogRate({ ...LOG_LIMITS, bytesPerSecond: RATE, burstBytes: 2 * RATE });
  t.equal(rate.take(1, 2 * RATE + LOG_WINDOW_BYTES_MAX, 0), 0, 'one window past an empty one');
  t.equal(rate.windowOf(1), 0);
  const waitSeconds = rate.take(1, 1, 0);
  t.equal(waitSeconds, Math.ceil(LOG_WINDOW_BYTES_MAX / RATE));
  t.equal(rate.take(1, 1, waitSeconds * 1_000), 0, 'after the time that it was told it is taken');
  t.equal(rate.take(1, RATE / 2, 60_000), 0);
  t.equal(rate.windowOf(1), 1.5 * RATE, 'a minute of silence gives no more than the burst');
  t.equal(rate.take(1, 0, 60_250), 0);
  t.equal(rate.windowOf(1), 1.75 * RATE, 'a quarter of a second gives a quarter of the rate');
  t.equal(rate.windowOf(2), 2 * RATE, 'of another run it is whole');
  t.end();
});
