import t from 'tap';
import { formatDuration, formatValue } from '../../../src/ui/kit/format-value.ts';

const options = { locale: 'en-US', now: Date.parse('2001-09-11T12:00:00Z') };

t.test('each format writes a value as people read it', async (t) => {
  const cases: readonly (readonly [unknown, string, string])[] = [
    [3_000_000, 'integer', '3,000,000'],
    [2.6, 'integer', '3'],
    [1234.567, 'number', '1,234.57'],
    [0.00042, 'number', '0.0004'],
    [1_234_567, 'compact', '1.2M'],
    [48_201_733.5, 'currency:USD', '$48,201,733.50'],
    [12, 'currency:nonsense', '12 nonsense'],
    [0.8236, 'percent', '82.4%'],
    [999, 'bytes', '999 B'],
    [13_493_022, 'bytes', '13.5 MB'],
    [999_999, 'bytes', '1 MB'],
    ['2001-09-11', 'date', 'Sep 11, 2001'],
    ['2001-09-11', 'datetime', 'Sep 11, 2001'],
    ['2001-09-11T11:58:30Z', 'relative', '1 minute ago'],
    ['2001-09-12T12:00:00Z', 'relative', 'tomorrow'],
    ['12', 'text', '12'],
    [1074, 'text', '1074'],
    [0.23, 'percent/1', '23.0%'],
    [2.5, 'currency:EUR/0', '€3'],
    [7, '/2', '7.00'],
    ['12.5', 'number', '12.5'],
    ['9223372036854775807', 'integer', '9,223,372,036,854,775,807'],
    ['12345678901234567890.12', 'currency:EUR', '€12,345,678,901,234,567,890.12'],
    ['12345678901234567890.12', 'number', '12,345,678,901,234,567,890.12'],
    ['0.12345678901234567890', 'percent/4', '12.3457%'],
    ['-0.00', 'currency:EUR', '€0.00'],
    [-0, 'number', '0'],
    [-0.001, '/2', '0.00'],
    ['not a number', 'integer', 'not a number'],
    ['not a date', 'date', 'not a date'],
    [true, 'text', 'Yes'],
    [null, 'integer', '–'],
    [Number.NaN, 'integer', '–'],
  ];
  for (const [value, format, expected] of cases) {
    t.equal(formatValue(value, format, options), expected, `${String(value)} as ${format}`);
  }
});

t.test('a duration is seconds, in the two largest units', async (t) => {
  const cases = [
    [0, '0 s'],
    [0.34, '340 ms'],
    [12.34, '12.3 s'],
    [59.96, '1 m 00 s'],
    [245, '4 m 05 s'],
    [7800, '2 h 10 m'],
    [273_600, '3 d 4 h'],
    [-5, '-5 s'],
  ] as const;
  for (const [seconds, expected] of cases) t.equal(formatDuration(seconds, 'en-US'), expected);
});

t.test('yes and no are written in the language of the page', async (t) => {
  t.equal(formatValue(true, null, { locale: 'en-GB' }), 'Yes');
  t.equal(formatValue(true, null, { locale: 'de-AT' }), 'Ja');
  t.equal(formatValue(false, null, { locale: 'de' }), 'Nein');
  t.equal(formatValue(false, null, { locale: 'fr' }), 'No');
});
