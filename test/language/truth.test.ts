import t from 'tap';
import { isTrue } from '../../src/language/truth.ts';

t.test('conditions are true and false as $boolean says', async (t) => {
  for (const value of [true, 1, -1, 'a', 'false', [0, 1], [[1]], { a: null }]) t.equal(isTrue(value), true);
  for (const value of [false, 0, Number.NaN, '', null, undefined, [], [0, false, ''], [[]], {}])
    t.equal(isTrue(value), false);
});
