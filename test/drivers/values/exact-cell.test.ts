import fc from 'fast-check';
import t from 'tap';
import type { Column, ColumnType } from '../../../src/drivers/driver.ts';
import { exactCell } from '../../../src/drivers/values/exact-cell.ts';
import type { Holding } from '../../../src/drivers/values/holding.ts';

const endless = Number.POSITIVE_INFINITY;

const int2: Holding = { kind: 'integer', min: -32_768n, max: 32_767n };
const int8: Holding = { kind: 'integer', min: -(2n ** 63n), max: 2n ** 63n - 1n };
const numeric102: Holding = { kind: 'decimal', whole: 8, scale: 2, specials: false };
const numeric: Holding = { kind: 'decimal', whole: endless, scale: endless, specials: true };
const float4: Holding = { kind: 'number', bits: 24, specials: true };
const anyText = {
  kind: 'text',
  chars: endless,
  bytes: endless,
  padded: false,
  nul: false,
  planes: true,
} as const;
const varchar5: Holding = { ...anyText, chars: 5 };
const bytea: Holding = { kind: 'bytes', max: endless, fixed: false };
const moment: Holding = {
  kind: 'timestamp',
  digits: 6,
  zone: true,
  min: '0001-01-01T00:00:00Z',
  max: '9999-12-31T23:59:59.999999Z',
  specials: false,
};
const pgMoment: Holding = { ...moment, specials: true };
const unixTime: Holding = { ...moment, digits: 0, min: '1970-01-01T00:00:01Z', max: '2038-01-19T03:14:07Z' };

t.test('nothing is looked at where what the source declares always fits', async (t) => {
  const fits = (type: ColumnType, declared: Partial<Column['declared']>, holding: Holding) =>
    exactCell(
      { name: 'c', type, nullable: true, declared: { engine: 'postgres', sql: '', ...declared } },
      holding,
      {
        object: 't',
      },
    ) === null;
  t.ok(fits('integer', { bits: 16 }, int2));
  t.ok(fits('integer', { bits: 32 }, int8));
  t.notOk(fits('integer', { bits: 32 }, int2));
  t.notOk(fits('integer', { engine: 'mysql', bits: 64, unsigned: true }, int8));
  t.ok(fits('decimal', { precision: 10, scale: 2 }, numeric));
  t.notOk(fits('decimal', { precision: 10, scale: 2 }, numeric102), 'which may be NaN');
  t.ok(fits('number', { single: true }, float4));
  t.notOk(fits('number', {}, float4));
  t.ok(fits('string', {}, anyText));
  t.notOk(fits('string', { engine: 'mysql' }, anyText), 'which may hold U+0000');
  t.ok(fits('string', { chars: 5 }, varchar5));
  t.notOk(fits('string', { chars: 6 }, varchar5));
  t.ok(fits('timestamp', {}, pgMoment));
  t.notOk(fits('timestamp', {}, unixTime));
  t.notOk(fits('integer', { engine: 'sqlite', bits: 16 }, int2), 'SQLite holds anything anywhere');
  t.equal(
    exactCell({ name: 'c', type: 'integer', nullable: true }, { kind: 'checked' }, { object: 't' }),
    null,
  );
});

/** An independent judge: the exact value of digits as a fraction of two big integers. */
function ratio(digits: string): [bigint, bigint] {
  const [whole = '', fraction = ''] = digits.split('.');
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
}

const anyDigits = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([value, scale]) => {
    const sign = value < 0n ? '-' : '';
    const text = String(value < 0n ? -value : value).padStart(scale + 1, '0');
    return sign + (scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`);
  });

t.test('decimals are equal in value, or refused; rounded ones are off by half a unit at most', async () => {
  const column: Column = { name: 'c', type: 'decimal', nullable: true };
  const holding: Holding = { kind: 'decimal', whole: 12, scale: 4, specials: false };
  const exact = exactCell(column, holding, { object: 't' });
  const rounding = exactCell(column, holding, { object: 't', lossy: 'round' });
  const tryCell = (cell: typeof exact, value: string): string | null => {
    try {
      return cell?.(value) as string;
    } catch {
      return null;
    }
  };
  fc.assert(
    fc.property(anyDigits, (digits) => {
      const [above, below] = ratio(digits);
      const fits =
        (above * 10_000n) % below === 0n && above / below < 10n ** 12n && above / below > -(10n ** 12n);
      const made = tryCell(exact, digits);
      if ((made !== null) !== fits) return false;
      if (made !== null) {
        const [a, b] = ratio(made);
        if (a * below !== above * b) return false;
      }
      const rounded = tryCell(rounding, digits);
      if (rounded === null) return above / below >= 10n ** 12n - 1n || above / below <= 1n - 10n ** 12n;
      const [a, b] = ratio(rounded);
      const off = (a * below - above * b) * 20_000n;
      const bound = below * b;
      return off <= bound && off >= -bound;
    }),
  );
});

t.test('a number of 24 bits is shown with the digits that it was given, or refused', async () => {
  const cell = exactCell({ name: 'c', type: 'number', nullable: true }, float4, { object: 't' });
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (single) =>
      Object.is(cell?.(single), single),
    ),
  );
});

t.test('bytes come as the base64 of exactly these bytes', async () => {
  const cell = exactCell({ name: 'c', type: 'binary', nullable: true }, bytea, { object: 't' });
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = Buffer.from(bytes).toString('base64');
      return cell?.(text) === text;
    }),
  );
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      const isBase64 = Buffer.from(text, 'base64').toString('base64') === text;
      try {
        return cell?.(text) === text && isBase64;
      } catch {
        return !isBase64;
      }
    }),
  );
});
