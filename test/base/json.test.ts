import fc from 'fast-check';
import t from 'tap';
import { canonicalJson } from '../../src/base/json.ts';

t.test('equal values have one canonical text, which reads back as the value', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      const shuffled = JSON.parse(JSON.stringify(value), (_key, inner: unknown) =>
        inner !== null && typeof inner === 'object' && !Array.isArray(inner)
          ? Object.fromEntries(Object.entries(inner).reverse())
          : inner,
      ) as unknown;
      t.equal(canonicalJson(shuffled), text);
      t.equal(canonicalJson(JSON.parse(text)), text);
    }),
    { numRuns: 200 },
  );
});
