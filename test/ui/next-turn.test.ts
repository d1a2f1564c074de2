import fc from 'fast-check';
import t from 'tap';
import { msToNextTurn } from '../../src/ui/widgets/next-turn.ts';

t.test('widgets of one interval have their turns together, whenever their last answers came', async (t) => {
  t.equal(msToNextTurn(5_000, 20_040), 4_960);
  t.equal(msToNextTurn(5_000, 22_400), 2_600);
  t.equal(msToNextTurn(5_000, 24_900), 5_100, 'an answer that took almost the whole interval');
  t.equal(msToNextTurn(5_000, 25_000), 5_000);
});

t.test('a turn is at most half an interval early or late', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2_000, max: 86_400_000 }),
      fc.integer({ min: 0, max: 1e12 }),
      (every, since) => {
        const left = msToNextTurn(every, since);
        return left >= every / 2 && left <= every * 1.5 && (since + left) % every === 0;
      },
    ),
  );
});
