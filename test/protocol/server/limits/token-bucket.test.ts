import fc from 'fast-check';
import t from 'tap';
import { TokenBucket } from '../../../../src/protocol/server/limits/token-bucket.ts';

t.test('a bucket gives its burst, and then its rate', async (t) => {
  const bucket = new TokenBucket({ burst: 3, perSecond: 2 }, 0);
  t.same(
    [0, 0, 0, 0].map((at) => bucket.take(at)),
    [true, true, true, false],
  );
  t.same(
    [499, 500, 501].map((at) => bucket.take(at)),
    [false, true, false],
  );
  t.same(
    [60_000, 60_000, 60_000, 60_000].map((at) => bucket.take(at)),
    [true, true, true, false],
    'never more than the burst',
  );
});

t.test('whenever it is asked, a bucket gives no more than burst and rate allow', async () => {
  const rate = fc.record({
    burst: fc.integer({ min: 1, max: 50 }),
    perSecond: fc.integer({ min: 1, max: 50 }),
  });
  const waits = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 300 });
  fc.assert(
    fc.property(rate, waits, (limits, gaps) => {
      const bucket = new TokenBucket(limits, 0);
      let now = 0;
      let given = 0;
      for (const gap of gaps) {
        now += gap;
        if (bucket.take(now)) given += 1;
      }
      return given <= limits.burst + (now / 1_000) * limits.perSecond + 1e-6;
    }),
  );
});
