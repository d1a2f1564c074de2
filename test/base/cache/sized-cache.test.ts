import t from 'tap';
import { SizedCache } from '../../../src/base/cache/sized-cache.ts';

t.test('a cache is bounded in number and in size, and lets the oldest go first', async (t) => {
  const cache = new SizedCache<string>({ entriesMax: 3, sizeMax: 10 });
  cache.add('a', 'A', 1);
  cache.add('a', 'another', 9);
  t.equal(cache.get('a'), 'A', 'what is there stays');
  cache.add('b', 'B', 1);
  cache.add('c', 'C', 1);
  cache.add('d', 'D', 1);
  t.strictSame(
    ['a', 'b', 'c', 'd'].map((key) => cache.get(key)),
    [undefined, 'B', 'C', 'D'],
  );
  cache.add('e', 'E', 9);
  t.strictSame(
    ['b', 'c', 'd', 'e'].map((key) => cache.get(key)),
    [undefined, undefined, 'D', 'E'],
  );
  cache.add('f', 'F', 11);
  t.strictSame(
    ['d', 'e', 'f'].map((key) => cache.get(key)),
    [undefined, undefined, undefined],
  );
  cache.add('g', 'G', 10);
  t.equal(cache.get('g'), 'G', 'what went is not counted any more');
});
