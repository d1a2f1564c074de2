import fc from 'fast-check';
import t from 'tap';
import { ExactNumber } from '../../../src/base/values/exact-number.ts';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { Fraction } from './fraction.ts';

const RUNS = fewOrAll(300, 2_000);

const decimal = (text: string) => new ExactNumber(text, 'decimal');
const integer = (text: string) => new ExactNumber(text, 'integer');

async function evaluated(source: string, scope: Readonly<Record<string, unknown>>): Promise<unknown> {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const { evaluateSync, evaluate } = parsed.expression.forRows({ item: new Map(), value: null });
  const found = plain(await evaluate(scope));
  if (evaluateSync === null) return found;
  // The interpreter gives the same as the compiled path.
  const interpreted = plain(await createInterpreter(source, expressionLimits).evaluate(scope));
  if (JSON.stringify(interpreted) !== JSON.stringify(found))
    throw new Error(
      `${source}: compiled ${JSON.stringify(found)}, interpreted ${JSON.stringify(interpreted)}`,
    );
  return found;
}

/** Numbers of both kinds as text. */
function plain(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.text;
  return Array.isArray(value) ? value.map(plain) : value;
}

const digits = fc.stringMatching(/^[1-9]\d{0,39}$/);
const numeral = fc
  .tuple(fc.constantFrom('', '-'), fc.oneof(digits, fc.constant('0')), fc.stringMatching(/^\d{0,30}$/))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`);
/** A number as a row may have it: exact, or a double, which is its shortest text. */
const number = fc.oneof(
  numeral.map((text) => ({ value: decimal(text), text })),
  fc
    .bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    .map((big) => ({ value: integer(String(big)), text: String(big) })),
  fc.integer().map((value) => ({ value, text: String(value) })),
  fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => ({ value, text: String(value) })),
);
const isExact = ({ value }: { value: unknown }) => value instanceof ExactNumber;

t.test('operators give what fractions of whole numbers give', async () => {
  await fc.assert(
    fc.asyncProperty(number, number, async (a, b) => {
      if (!isExact(a) && !isExact(b)) return;
      const [x, y] = [Fraction.of(a.text), Fraction.of(b.text)];
      const scope = { a: a.value, b: b.value };
      const is = async (source: string, wanted: Fraction) => {
        const found = String(await evaluated(source, scope));
        if (!Fraction.of(found).equals(wanted))
          throw new Error(`${source}: ${found} of ${a.text}, ${b.text}`);
      };
      await is('a + b', x.plus(y));
      await is('a - b', x.minus(y));
      await is('a * b', x.times(y));
      await is('-a + 0', x.negated());
      if (!y.isZero) await is('a % b', x.remainder(y));
      const order = x.compare(y);
      for (const [source, wanted] of [
        ['a = b', order === 0],
        ['a != b', order !== 0],
        ['a < b', order < 0],
        ['a <= b', order <= 0],
        ['a > b', order > 0],
        ['a >= b', order >= 0],
        ['a in [b]', order === 0],
      ] as const)
        if ((await evaluated(source, scope)) !== wanted) throw new Error(`${source} of ${a.text}, ${b.text}`);
    }),
    { numRuns: RUNS },
  );
});

t.test(
  'a quotient is exact where it ends, and else has 28 significant digits, or those of the dividend',
  async () => {
    await fc.assert(
      fc.asyncProperty(numeral, numeral, async (a, b) => {
        const [x, y] = [Fraction.of(a), Fraction.of(b)];
        if (y.isZero) return;
        const found = Fraction.of(String(await evaluated('a / b', { a: decimal(a), b: decimal(b) })));
        const exact = x.over(y);
        if (found.equals(exact)) return;
        if (exact.ends) throw new Error(`${a} / ${b} ends`);
        // Off by less than half a unit of the 28th digit.
        if (
          found
            .minus(exact)
            .magnitude()
            .times(Fraction.of(`2${'0'.repeat(27)}`))
            .compare(exact.magnitude()) > 0
        )
          throw new Error(`${a} / ${b}`);
      }),
      { numRuns: RUNS },
    );
  },
);

t.test('functions over lists are exact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 8 }), async (list) => {
      if (!list.some(isExact)) return;
      const scope = { list: list.map(({ value }) => value) };
      const values = list.map(({ text }) => Fraction.of(text));
      const sum = values.reduce((a, b) => a.plus(b));
      const sorted = [...values].sort((a, b) => a.compare(b));
      const of = async (source: string) => Fraction.of(String(await evaluated(source, scope)));
      if (!(await of('$sum(list)')).equals(sum)) throw new Error('sum');
      if (!(await of('$max(list)')).equals(sorted.at(-1) as Fraction)) throw new Error('max');
      if (!(await of('$min(list)')).equals(sorted[0] as Fraction)) throw new Error('min');
      const inOrder = [(await evaluated('$sort(list)', scope)) ?? []]
        .flat()
        .map((one) => Fraction.of(String(one)));
      const byTerm = [(await evaluated('list^($)', scope)) ?? []]
        .flat()
        .map((one) => Fraction.of(String(one)));
      for (const found of [inOrder, byTerm])
        if (!found.every((one, at) => one.equals(sorted[at] as Fraction))) throw new Error('order');
      const distinct = [(await evaluated('$distinct(list)', scope)) ?? []].flat();
      const kinds = sorted.filter((one, at) => at === 0 || !one.equals(sorted[at - 1] as Fraction));
      if (distinct.length !== kinds.length) throw new Error('distinct');
    }),
    { numRuns: RUNS },
  );
});

t.test('rounding goes to the even digit at a half', async () => {
  await fc.assert(
    fc.asyncProperty(numeral, fc.integer({ min: -5, max: 12 }), async (text, places) => {
      const found = String(await evaluated('$round(a, p)', { a: decimal(text), p: places }));
      const wanted = Fraction.of(text).rounded(places);
      if (!Fraction.of(found).equals(wanted)) throw new Error(`$round(${text}, ${places}) = ${found}`);
    }),
    { numRuns: RUNS },
  );
});

t.test('what each function gives', async (t) => {
  const scope = {
    a: decimal('-1.50'),
    z: decimal('0.00'),
    big: integer('9007199254740993'),
    long: decimal('-12345678901234567890.125'),
    rows: [{ p: decimal('2.50') }, { p: 1 }],
  };
  const cases: readonly (readonly [string, unknown])[] = [
    ['$abs(a)', '1.5'],
    ['$floor(a)', '-2'],
    ['$ceil(a)', '-1'],
    ['$power(a, 2)', '2.25'],
    ['$power(big, 2)', '81129638414606699710187514626049'],
    ['$sqrt($power(big, 2))', '9007199254740993'],
    ['$number("9007199254740993") = big', true],
    ['$number(a) = -1.5', true],
    ['$string(a)', '-1.50'],
    ['a & "!"', '-1.50!'],
    ['$string({"a": a})', '{"a":-1.50}'],
    ['$type(a)', 'number'],
    ['$boolean(z)', false],
    ['$not(z)', true],
    ['z ? 1 : 2', 2],
    ['a and true', true],
    ['$filter([z, a], function($x) { $x })', '-1.50'],
    ['$map(rows, function($r) { $r.p * 2 })', ['5', 2]],
    ['rows[p > 2].p', '2.50'],
    ['$formatNumber(long, "#,##0.00")', '-12,345,678,901,234,567,890.12'],
    ['$formatNumber(long, "0.0%;(0.0%)")', '(1234567890123456789012.5%)'],
    ['$formatNumber(a, "#,##0.000")', '-1.500'],
    ['9007199254740993 - 9007199254740992', 1],
    ['$average([a, 0.5, 2])', '0.3333333333333333333333333333'],
    ['[1..decimals]', []],
    ['$count([a])', 1],
    ['$keys(a)', undefined],
    ['a.x', undefined],
  ];
  for (const [source, wanted] of cases) t.strictSame(await evaluated(source, scope), wanted, source);
  const fails = async (source: string, code: string) => {
    t.match(await evaluated(source, scope).catch((error: unknown) => error), { code }, source);
  };
  await fails('a = "-1.50"', 'NUMBER_TEXT');
  await fails('"9" in [a]', 'NUMBER_TEXT');
  t.equal(await evaluated('a = "none"', scope), false);
  await fails('a < "x"', 'T2009');
  await fails('a + "1"', 'T2002');
  await fails('a / 0', 'D1001');
  await fails('a % z', 'D1001');
  await fails('$power(big, 100000)', 'DIGITS');
  await fails('$formatBase(big, 16)', 'DIGITS_LOST');
});

t.test('outside of rows, what a double does not hold is text', async (t) => {
  const of = async (source: string) => {
    const parsed = parseExpression(source);
    return parsed.ok ? parsed.expression.evaluate({}) : null;
  };
  t.equal(await of('9007199254740993 + 1'), '9007199254740994');
  t.strictSame(await of('[$number("9007199254740993"), $number("1.50")]'), ['9007199254740993', 1.5]);
  t.strictSame(
    await of('$map(["9007199254740993"], function($t) { {"n": $number($t) - 9007199254740990} })'),
    { n: 3 },
  );
});

t.test('pictures of numbers show exact ones as they show doubles', async () => {
  const pictures = ['#,##0.00', '0', '#.##', '00000.0', '#,##0.00;(#,##0.00)', '$#,##0'];
  const whole = fc.integer({ min: -99_999_999, max: 99_999_999 });
  await fc.assert(
    fc.asyncProperty(whole, fc.constantFrom(...pictures), async (n, picture) => {
      const shown = async (a: unknown) => String(await evaluated('$formatNumber(a, p)', { a, p: picture }));
      // So small a part makes it a number that no double is, and is not shown.
      const exact = decimal(`${n}.3${'0'.repeat(20)}1`);
      const [found, wanted] = [await shown(exact), await shown(n + (n < 0 ? -0.3 : 0.3))];
      if (found !== wanted) throw new Error(`${n} by ${picture}: ${found}, not ${wanted}`);
    }),
    { numRuns: RUNS },
  );
});
