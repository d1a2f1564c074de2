import t from 'tap';
import { SeenPages } from '../../../src/drivers/http/paging/seen-pages.ts';

t.test(
  'a page that was seen is known among 100,000, in little memory however long its cursor is',
  async (t) => {
    const seen = new SeenPages();
    const page = (n: number) => `https://api.example.com/list?cursor=${String(n).padStart(2_000, '0')}`;
    const before = process.memoryUsage();
    for (let n = 0; n < 100_000; n += 1) if (!seen.add(page(n))) t.fail(`page ${n} was not seen before`);
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const grown = heapUsed - before.heapUsed + arrayBuffers - before.arrayBuffers;
    t.ok(grown < 100 * 1_048_576, `${Math.round(grown / 1_048_576)} MB, and not the 200 MB of their texts`);
    for (let n = 0; n < 100_000; n += 997) t.notOk(seen.add(page(n)), `page ${n} was`);
    t.ok(seen.add(page(100_000)));
  },
);
