import fc from 'fast-check';
import t from 'tap';
import { spanMs, timestamp } from '../../src/base/clock.ts';
import { fewOrAll } from '../support/fault-list.ts';

const DAY_MS = 86_400_000;
/** The last day that has four digits for its year. */
const DAYS = 2_932_896;

t.test('a time is written as Date writes it', async (t) => {
  const step = fewOrAll(17, 1);
  for (let day = 0; day <= DAYS; day += step) {
    const ms = day * DAY_MS + ((day * 7_919) % DAY_MS);
    if (timestamp(ms) !== new Date(ms).toISOString()) t.fail(`${ms}: ${timestamp(ms)}`);
  }
  const near = fc.oneof(
    fc.integer({ min: 0, max: DAYS * DAY_MS }),
    fc.double({ min: -1e14, max: 1e15, noNaN: true }),
  );
  fc.assert(fc.property(near, (ms) => timestamp(ms) === new Date(ms).toISOString()));
  for (const ms of [0, -1, 951_782_399_999, 951_868_800_000, 253_402_300_799_999, 253_402_300_800_000])
    t.equal(timestamp(ms), new Date(ms).toISOString());
  t.throws(() => timestamp(Number.NaN), RangeError);
});

t.test('the time between two moments is unknown where the clock was set back', async (t) => {
  t.equal(spanMs(1_000, 1_250), 250);
  t.equal(spanMs(1_000, 1_000), 0);
  t.equal(spanMs(1_000, 999), null);
  t.equal(spanMs(null, 5), null);
  t.equal(spanMs(5, null), null);
});
