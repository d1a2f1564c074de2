import fc from 'fast-check';
import t from 'tap';
import { createByteSearch } from '../../../src/base/text/byte-search.ts';

/** Few different bytes, so that needles are found, overlap and nearly fit. */
const bytesOf = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(0x61, 0x62, 0x71, 0xf0, 0x00), { minLength, maxLength })
    .map((list) => Buffer.from(list));

t.test('it finds exactly what a search for each needle finds', async (t) => {
  let found = 0;
  fc.assert(
    fc.property(fc.array(bytesOf(2, 7), { maxLength: 6 }), bytesOf(0, 60), (needles, bytes) => {
      const expected = needles.some((needle) => bytes.includes(needle));
      if (expected) found += 1;
      return createByteSearch(needles)(bytes) === expected;
    }),
    { numRuns: 5_000 },
  );
  t.ok(found > 100, `${found} were found`);
});

t.test('at the very ends, in long bytes, and after needles that are longer than they are', async (t) => {
  const needles = [Buffer.from('needle'), Buffer.from('x'.repeat(400))];
  const search = createByteSearch(needles);
  const hay = 'hay '.repeat(2_000);
  for (const text of [`needle${hay}`, `${hay}needle`, `${hay}needle${hay}`, `${hay}${'x'.repeat(400)}`])
    t.ok(search(Buffer.from(text)));
  for (const text of ['', 'n', 'needl', hay, `${hay}needl`, `${hay}${'x'.repeat(399)}`])
    t.notOk(search(Buffer.from(text)));
  t.throws(() => createByteSearch([Buffer.from('a')]), RangeError);
});
