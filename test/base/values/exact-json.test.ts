import fc from 'fast-check';
import t from 'tap';
import {
  inexactNumberWords,
  isExactNumber,
  isInexactNumber,
  parseExactJson,
} from '../../../src/base/values/exact-json.ts';

t.test(
  'a number that a double changes comes as its text, at every depth; all others are numbers',
  async (t) => {
    const cases: readonly (readonly [string, unknown])[] = [
      ['9007199254740991', 9007199254740991],
      ['9007199254740992', 9007199254740992],
      ['9007199254740993', '9007199254740993'],
      ['-9007199254740993', '-9007199254740993'],
      ['1e22', 1e22],
      ['9007199254740993.0', '9007199254740993.0'],
      ['12345678901234567.89', '12345678901234567.89'],
      ['0.30000000000000004', 0.30000000000000004],
      ['0.1000000000000000055', '0.1000000000000000055'],
      ['1.10000000000000000000', 1.1],
      ['100000000000000000000', 100000000000000000000],
      ['1e400', '1e400'],
      ['-1e400', '-1e400'],
      ['1e-400', '1e-400'],
      ['5e-324', 5e-324],
      ['0.0000000000000000000', 0],
      ['"9007199254740993"', '9007199254740993'],
    ];
    for (const [text, value] of cases) {
      t.strictSame(parseExactJson(text), value, text);
      t.strictSame(parseExactJson(`{"a":[{"b":${text}}]}`), { a: [{ b: value }] }, `${text} inside`);
    }
    t.throws(() => parseExactJson('{"a":9007199254740993'), SyntaxError);
  },
);

t.test(
  'a text is exact just where its double, as a fraction, is the shortest decimal of the same value',
  async (t) => {
    const digits = fc.stringMatching(/^[1-9]\d{0,24}$/);
    fc.assert(
      fc.property(digits, fc.integer({ min: 0, max: 24 }), fc.boolean(), (whole, scale, isNegative) => {
        const padded = whole.padStart(scale + 1, '0');
        const point = padded.length - scale;
        const text = `${isNegative ? '-' : ''}${padded.slice(0, point)}${scale > 0 ? `.${padded.slice(point)}` : ''}`;
        // The shortest text of the double, scaled to the same exponent by integers alone.
        const [mantissa = '', exponent = '0'] = Math.abs(Number(text)).toExponential().split('e');
        const [head = '', tail = ''] = mantissa.split('.');
        const shift = Number(exponent) - tail.length + scale;
        const shown = BigInt(head + tail);
        const same =
          shift >= 0
            ? shown * 10n ** BigInt(shift) === BigInt(whole)
            : shown === BigInt(whole) * 10n ** BigInt(-shift);
        return isExactNumber(text) === same;
      }),
      { numRuns: 2_000 },
    );
    for (const text of ['', '-', '.', '+', 'e5', '1e', '1 ', '0x10', 'NaN', 'Infinity'])
      t.notOk(isExactNumber(text) || isInexactNumber(text), text);
  },
);

t.test('the words name the number, and at most its beginning where it is long', async (t) => {
  t.match(inexactNumberWords('9007199254740993'), /^is 9007199254740993, which a number cannot keep exactly/);
  t.match(inexactNumberWords('9'.repeat(1_000)), /^is 9{40}…, which/);
});
