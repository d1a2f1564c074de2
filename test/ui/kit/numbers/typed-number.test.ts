import fc from 'fast-check';
import t from 'tap';
import { isExact, parseExactJson } from '../../../../src/ui/kit/numbers/exact-number.ts';
import { exampleNumber, readNumber, typedNumber } from '../../../../src/ui/kit/numbers/typed-number.ts';

type Case = readonly [text: string, value: number | string | null | 'wrong'];

const WRONG = 'wrong';
const CASES: Readonly<Record<string, readonly Case[]>> = {
  de: [
    ['1.500', 1500],
    ['1,5', 1.5],
    ['1.500,25', 1500.25],
    ['-1.234.567', -1234567],
    ['−7', -7],
    [' 7 ', 7],
    ['1500', 1500],
    [',5', 0.5],
    ['5,', 5],
    ['1e3', 1000],
    ['1,5E-3', 0.0015],
    ['', null],
    ['1.5', WRONG],
    ['1.50', WRONG],
    ['0.5', WRONG],
    ['1.5000', WRONG],
    ['1,500.25', WRONG],
    ['12.34.567', WRONG],
    ['1..500', WRONG],
    ['1.500,2,5', WRONG],
    ['abc', WRONG],
    ['-', WRONG],
    [',', WRONG],
    ['1 500', WRONG],
    ['1e999', WRONG],
    ['Infinity', WRONG],
    ['0x10', WRONG],
    ['9.007.199.254.740.993', '9007199254740993'],
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567,89', '12345678901234567.89'],
    ['9007199254740991', 9007199254740991],
  ],
  en: [
    ['1,500', 1500],
    ['1.5', 1.5],
    ['1,500.25', 1500.25],
    ['1,5', WRONG],
    ['1.500', 1.5],
    ['1.500,25', WRONG],
  ],
  'de-CH': [
    ['1’500.5', 1500.5],
    ["1'500.5", 1500.5],
  ],
  fr: [
    ['1\u202f500,5', 1500.5],
    ['1 500,5', 1500.5],
  ],
};

t.test('a number is read as the page writes it; a mark at any other place is refused', async (t) => {
  for (const [locale, cases] of Object.entries(CASES))
    for (const [text, value] of cases)
      t.strictSame(
        readNumber(text, locale),
        value === WRONG ? { kind: 'wrong' } : { kind: 'number', value },
        `${locale}: "${text}"`,
      );
});

t.test('what a page writes, grouped or typed, is read back as the same number', async (t) => {
  const locale = fc.constantFrom('de', 'en', 'fr', 'de-CH', 'en-IN', 'es', 'sv', 'pt-BR');
  fc.assert(
    fc.property(
      locale,
      fc.integer({ min: -1e12, max: 1e12 }),
      fc.integer({ min: 0, max: 3 }),
      (locale, n, scale) => {
        const value = n / 10 ** scale;
        const written = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(value);
        // Lakhs group by two digits, which no form here takes.
        const texts =
          locale === 'en-IN' ? [typedNumber(value, locale)] : [written, typedNumber(value, locale)];
        return texts.every((text) => {
          const read = readNumber(text, locale);
          return read.kind === 'number' && read.value === (value === 0 ? 0 : value);
        });
      },
    ),
  );
  t.equal(exampleNumber('de'), '1.234,5');
  t.equal(typedNumber('9007199254740993.5', 'de'), '9007199254740993,5');
});

t.test('JSON that is typed keeps the digits that JavaScript has no number for', async (t) => {
  t.strictSame(parseExactJson('{"id":9007199254740993,"n":1.5,"long":12345678901234567.89,"far":1e400}'), {
    id: '9007199254740993',
    n: 1.5,
    long: '12345678901234567.89',
    far: '1e400',
  });
  t.ok(isExact('0.30000000000000004'));
  t.notOk(isExact('0.10000000000000000555'));
});
