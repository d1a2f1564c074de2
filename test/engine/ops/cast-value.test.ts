import fc from 'fast-check';
import t from 'tap';
import { castTo } from '../../../src/engine/ops/cast/cast-value.ts';
import type { CastType } from '../../../src/language/task/cast/cast-type.ts';

const REFUSED = Symbol('refused');

function cast(type: CastType, value: unknown): unknown {
  try {
    return castTo(type)(value);
  } catch (error) {
    return (error as { code?: string }).code === 'CAST_ERROR' ? REFUSED : error;
  }
}

const TABLE: readonly [CastType, unknown, unknown][] = [
  ['string', 7, '7'],
  ['string', true, 'true'],
  ['string', '', ''],
  ['string', { a: 1 }, '{"a":1}'],
  ['integer', '42', 42],
  ['integer', ' -7 ', -7],
  ['integer', '7.00', 7],
  ['integer', '-0', 0],
  ['integer', 1.5, REFUSED],
  ['integer', '1.5', REFUSED],
  ['integer', '1e3', REFUSED],
  ['integer', '0x10', REFUSED],
  ['integer', 'seven', REFUSED],
  ['integer', true, 1],
  ['integer', '', null],
  ['integer', '9007199254740993', '9007199254740993'],
  ['integer', '-0009007199254740993', '-9007199254740993'],
  ['integer', 2 ** 53, REFUSED],
  ['integer', 9007199254740993n, '9007199254740993'],
  ['number', '1.5', 1.5],
  ['number', '.5', 0.5],
  ['number', '1e3', 1000],
  ['number', '1e999', REFUSED],
  ['number', 'Infinity', REFUSED],
  ['number', Number.NaN, REFUSED],
  ['number', '1,5', REFUSED],
  ['number', '0x10', REFUSED],
  ['decimal', '007.50', '7.50'],
  ['decimal', '+1.10', '1.10'],
  ['decimal', '12345678901234567890.123456789', '12345678901234567890.123456789'],
  ['decimal', 0.1, '0.1'],
  ['decimal', 1e-7, '0.0000001'],
  ['decimal', 1e21, '1000000000000000000000'],
  ['decimal', '1.25e1', '12.5'],
  ['decimal', '.5', '0.5'],
  ['decimal', '1e999999', REFUSED],
  ['decimal', '1,000', REFUSED],
  ['boolean', 'Yes', true],
  ['boolean', 'NO', false],
  ['boolean', '1', true],
  ['boolean', 0, false],
  ['boolean', 'true ', true],
  ['boolean', 2, REFUSED],
  ['boolean', 'on', REFUSED],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '2023-02-29', REFUSED],
  ['date', '2024-13-01', REFUSED],
  ['date', '2001-01-14 21:55', '2001-01-14'],
  ['date', '2001-01-14T23:30:00-05:00', '2001-01-14'],
  ['date', '14/01/2001', REFUSED],
  ['date', '2001-01-14 nonsense', REFUSED],
  ['time', '21:55', '21:55:00'],
  ['time', '21:55:01.25', '21:55:01.25'],
  ['time', '24:00', REFUSED],
  ['timestamp', '2001-01-14 21:55', '2001-01-14T21:55:00Z'],
  ['timestamp', '2001-01-14T21:55:00Z', '2001-01-14T21:55:00Z'],
  ['timestamp', ' 2001-01-14T21:55:00Z ', '2001-01-14T21:55:00Z'],
  ['timestamp', '2001-01-14', '2001-01-14T00:00:00Z'],
  ['timestamp', '2001-01-14T21:55:00.123456+02:00', '2001-01-14T19:55:00.123456Z'],
  ['timestamp', '2001-01-14 21:55:00 +0530', '2001-01-14T16:25:00Z'],
  ['timestamp', '2001-01-14T21:55:00-05', '2001-01-15T02:55:00Z'],
  ['timestamp', '2001-01-14T21:60:00Z', REFUSED],
  ['timestamp', '2001-01-14T21:55:00Zulu', REFUSED],
  ['timestamp', '2001-01-14X21:55', REFUSED],
  ['timestamp', 979509300, REFUSED],
  ['timestamp', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['timestamp', '  ', null],
  ['json', '{"a": [1]}', { a: [1] }],
  ['json', '{"a": 9007199254740993}', { a: '9007199254740993' }],
  ['json', [1], [1]],
  ['json', '{', REFUSED],
];

t.test('the table of casts', async (t) => {
  for (const [type, value, expected] of TABLE)
    t.strictSame(cast(type, value), expected, `${type} of ${String(value)}`);
  for (const type of new Set(TABLE.map((row) => row[0]))) {
    t.equal(cast(type, null), null, `${type} of null`);
    t.equal(cast(type, undefined), null, `${type} of nothing`);
  }
});

t.test('what a cast gives, it takes again unchanged', async () => {
  const text = fc.oneof(
    fc.double().map(String),
    fc.bigInt().map(String),
    fc
      .date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-01-01') })
      .map((d) => d.toISOString()),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
  const types: CastType[] = [
    'string',
    'integer',
    'number',
    'decimal',
    'boolean',
    'date',
    'time',
    'timestamp',
  ];
  fc.assert(
    fc.property(text, fc.constantFrom(...types), (value, type) => {
      const once = cast(type, value);
      return once === REFUSED || Object.is(cast(type, once), once);
    }),
    { numRuns: 2_000 },
  );
});

t.test('a number that is written with other marks says what reads it', async (t) => {
  const marked = [
    ['decimal', '1.344,37'],
    ['number', '12,50'],
    ['integer', '1,344'],
    ['integer', '1 344'],
  ] as const;
  for (const [type, text] of marked)
    t.throws(() => castTo(type)(text), { message: /; give the cast a "locale", such as de/ }, text);
  for (const text of ['1,344.37', '12,345,678'])
    t.throws(() => castTo('number')(text), { message: /; give the cast a "locale", such as en for/ }, text);
  for (const text of ['abc', '1,', '7 pieces'])
    t.throws(() => castTo('number')(text), { message: `"${text}" is not a number` }, text);
});

t.test('a decimal is the same number as the text it came from', async () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const given = cast('decimal', value);
      return typeof given === 'string' && !/e/i.test(given) && Number(given) === value;
    }),
  );
});

t.test('a timestamp is the same moment as the text it came from', async () => {
  const date = fc.date({ noInvalidDate: true, min: new Date('1000-01-01'), max: new Date('9000-01-01') });
  const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
  fc.assert(
    fc.property(date, offset, (moment, minutes) => {
      const local = new Date(moment.getTime() + minutes * 60_000).toISOString().slice(0, 23);
      const zone = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) =>
        String(n).padStart(2, '0'),
      );
      const given = cast('timestamp', `${local}${minutes < 0 ? '-' : '+'}${zone.join(':')}`);
      return typeof given === 'string' && Date.parse(given) === moment.getTime();
    }),
  );
});
