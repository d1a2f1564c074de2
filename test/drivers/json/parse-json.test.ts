import fc from 'fast-check';
import t from 'tap';
import { parseJson } from '../../../src/drivers/json/parse-json.ts';

t.test(
  'integers beyond 2^53 and long fractions are kept wherever they stand, and nothing else changes',
  async (t) => {
    const digits = fc.stringMatching(/^[1-9]\d{0,24}$/);
    const number = fc.oneof(
      digits,
      fc.tuple(digits, digits).map(([a, b]) => `${a}.${b}`),
    );
    const text = fc.oneof(
      number,
      fc.string().map((value) => JSON.stringify(value)),
      fc.constant('null'),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), fc.nat(40), (parts, spaces) => {
        const source = `${' '.repeat(spaces)}[${parts.join(',')}]`;
        const wanted = parts.map((part) => {
          const value = JSON.parse(part);
          if (/^\d+$/.test(part)) return Number.isSafeInteger(value) ? value : part;
          // A fraction is a double where that has the same digits.
          const isChanged = typeof value === 'number' && String(value) !== part.replace(/\.?0+$/, '');
          return isChanged ? part : value;
        });
        t.strictSame(parseJson(source), wanted);
      }),
      { numRuns: 500, seed: 17 },
    );
    t.equal(parseJson('9007199254740993'), '9007199254740993');
    t.equal(parseJson('-9007199254740993'), '-9007199254740993');
  },
);

t.test('numbers beyond what a double holds are kept as text, and are not lost as null', async (t) => {
  const source = '{"a":1e400,"b":[-1E+0999,1e308,1e-400],"c":"1e999","d":2.5e3}';
  const wanted = { a: '1e400', b: ['-1E+0999', 1e308, '1e-400'], c: '1e999', d: 2_500 };
  t.strictSame(parseJson(source), wanted);
  t.strictSame(parseJson(`{"\\u0078":1e400}`), { x: '1e400' });
});
