import fc from 'fast-check';
import t from 'tap';
import { parseJson } from '../../../src/drivers/json/parse-json.ts';

t.test('integers beyond 2^53 are kept wherever they stand, and nothing else changes', async (t) => {
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
        return /^\d+$/.test(part) && !Number.isSafeInteger(value) ? part : value;
      });
      t.strictSame(parseJson(source), wanted);
    }),
    { numRuns: 500, seed: 17 },
  );
  t.equal(parseJson('9007199254740993'), '9007199254740993');
  t.equal(parseJson('-9007199254740993'), '-9007199254740993');
});
