import fc from 'fast-check';
import t from 'tap';
import { msToNextTurn } from '../../src/ui/dashboard/next-turn.ts';

t.test('widgets of one interval have their turns together, whenever their last answers came', async (t) => {
  t.equal(msToNextTurn(5_000, 20_040), 4_960);
  t.equal(msToNextTurn(5_000, 22_400), 2_600);
  t.equal(msToNextTurn(5_000, 24_900), 5_100, 'an answer that took almost the whole interval');
  t.equal(msToNextTurn(5_000, 25_000), 5_000);
});

t.test('a turn is at most half an interval early or late', async () => {
  const every = fc.integer({ min: 2_000, max: 86_400_000 });
  const answered = fc.integer({ min: 0, max: 1e12 });
  fc.assert(
    fc.property(every, answered, (everyMs, at) => {
      const left = msToNextTurn(everyMs, at);
      return left >= everyMs / 2 && left <= everyMs * 1.5 && (at + left) % everyMs === 0;
    }),
  );
});
