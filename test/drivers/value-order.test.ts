import fc from 'fast-check';
import t from 'tap';
import { compareNumbers, compareTimes, isTimeText } from '../../src/drivers/value-order.ts';

t.test('numbers and their texts compare exactly, beyond what a double holds', async (t) => {
  t.equal(compareNumbers('9007199254740993', '9007199254740992'), 1);
  t.equal(compareNumbers(9_007_199_254_740_993n, '9007199254740993'), 0);
  t.equal(compareNumbers('1.100000000000000000001', '1.1'), 1);
  t.equal(compareNumbers('1.10', 1.1), 0);
  t.equal(compareNumbers('-0.1000000000000000000001', '-0.1'), -1);
  t.equal(compareNumbers('1e2', '100'), 0);
  t.equal(compareNumbers('', 1), null);
  t.equal(compareNumbers('n/a', 1), null);
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20));
  const textOf = ([digits, scale]: [bigint, number]) => {
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
    const at = text.length - scale;
    return `${digits < 0n ? '-' : ''}${text.slice(0, at)}${scale === 0 ? '' : `.${text.slice(at)}`}`;
  };
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const [x, y] = [a, b].map(([digits, scale]) => digits * 10n ** BigInt(20 - scale)) as [bigint, bigint];
      return compareNumbers(textOf(a), textOf(b)) === (x < y ? -1 : x > y ? 1 : 0);
    }),
  );
});

t.test('times compare as times, whatever their form; what is none does not compare', async (t) => {
  t.equal(compareTimes('2024-01-01T00:00:00.50Z', '2024-01-01T00:00:00.5Z'), 0);
  t.equal(compareTimes('2024-01-01T00:00:00.1234567Z', '2024-01-01T00:00:00.123456Z'), 1);
  t.equal(compareTimes('2024-01-01 02:00:00+02:00', '2024-01-01'), 0);
  t.equal(compareTimes('soon', '2024-01-01T00:00:00Z'), null);
  t.ok(isTimeText('2024-01-01 10:00'));
  for (const text of ['2024-13-01', '2024-01-32', '2024-01-01T25:00:00Z', 'infinity', '2024', 7])
    t.notOk(isTimeText(text));
});
