import t from 'tap';
import { castBy, castTo } from '../../../src/engine/ops/cast/cast-value.ts';
import { plainCast } from '../../../src/language/task/cast/cast-rule.ts';
import type { CastType } from '../../../src/language/task/cast/cast-type.ts';
import { readTimeFormat } from '../../../src/language/task/cast/time-format.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';

interface Options {
  readonly format?: string | readonly string[];
  readonly locale?: string;
  readonly zone?: string;
}

/** The value, or the message. */
function cast(type: CastType, value: unknown, { format = [], locale, zone }: Options): unknown {
  const formats = [format].flat().map(readTimeFormat);
  try {
    return castBy({ ...plainCast(type), formats, locale: locale ?? null, zone: zone ?? null })(value);
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

const DAY = { format: 'DD.MM.YYYY' };
const TIMES: readonly (readonly [CastType, Options, unknown, unknown])[] = [
  ['date', DAY, '31.01.2026', '2026-01-31'],
  ['date', DAY, ' 31.01.2026 ', '2026-01-31'],
  ['date', DAY, '', null],
  ['date', DAY, null, null],
  ['date', DAY, '29.02.2028', '2028-02-29'],
  ['date', DAY, '31.02.2026', 'refused: "31.02.2026" is not a date written as "DD.MM.YYYY"'],
  ['date', DAY, '29.02.2026', 'refused: "29.02.2026" is not a date written as "DD.MM.YYYY"'],
  ['date', DAY, '1.2.2026', 'refused: "1.2.2026" is not a date written as "DD.MM.YYYY"'],
  ['date', DAY, '2026-01-31', 'refused: "2026-01-31" is not a date written as "DD.MM.YYYY"'],
  ['date', DAY, 20260131, 'refused: "20260131" is not a date written as "DD.MM.YYYY"'],
  ['date', DAY, '00.01.2026', 'refused: "00.01.2026" is not a date written as "DD.MM.YYYY"'],
  ['date', { format: 'D.M.YYYY' }, '1.2.2026', '2026-02-01'],
  ['date', { format: 'YYYYMMDD' }, '20260131', '2026-01-31'],
  ['date', { format: 'M/D/YY' }, '1/31/68', '2068-01-31'],
  ['date', { format: 'M/D/YY' }, '1/31/69', '1969-01-31'],
  ['date', { format: ['DD.MM.YYYY', 'MM/DD/YYYY'] }, '01/31/2026', '2026-01-31'],
  [
    'date',
    { format: ['DD.MM.YYYY', 'MM/DD/YYYY'] },
    '31/01/2026',
    'refused: "31/01/2026" is not a date written as "DD.MM.YYYY" or "MM/DD/YYYY"',
  ],
  ['date', { format: ['DD/MM/YYYY', 'MM/DD/YYYY'] }, '02/03/2026', '2026-03-02'],
  ['date', { format: 'D. MMMM YYYY', locale: 'de' }, '3. März 2026', '2026-03-03'],
  ['date', { format: 'D. MMMM YYYY', locale: 'de' }, '3. march 2026', /^refused/],
  ['date', { format: 'D MMM YYYY' }, '3 MAR 2026', '2026-03-03'],
  ['date', { format: 'D MMM YYYY', locale: 'fr' }, '14 juil 2026', '2026-07-14'],
  ['date', { format: 'D MMMM YYYY', locale: 'ru' }, '5 мая 2026', '2026-05-05'],
  ['date', { format: '[Woche] D.M.YYYY' }, 'Woche 1.2.2026', '2026-02-01'],
  ['time', { format: 'h:mm A' }, '12:05 am', '00:05:00'],
  ['time', { format: 'h:mm A' }, '12:05 p.m.', '12:05:00'],
  ['time', { format: 'h:mm A' }, '13:05 PM', /^refused/],
  ['time', { format: 'H.mm [Uhr]' }, '9.30 Uhr', '09:30:00'],
  ['time', { format: 'HH:mm' }, '24:00', /^refused/],
  ['timestamp', { format: 'DD.MM.YYYY HH:mm' }, '31.01.2026 09:30', '2026-01-31T09:30:00Z'],
  ['timestamp', { format: 'DD.MM.YYYY HH:mm:ss.S' }, '31.01.2026 09:30:01.250', '2026-01-31T09:30:01.250Z'],
  ['timestamp', { format: 'YYYY-MM-DD HH:mm Z' }, '2026-01-31 09:30 +0530', '2026-01-31T04:00:00Z'],
  ['timestamp', { format: 'YYYY-MM-DD HH:mm Z' }, '2026-01-31 09:30 -03', '2026-01-31T12:30:00Z'],
  ['timestamp', { format: 'YYYY-MM-DD HH:mmZ' }, '2026-01-31 09:30z', '2026-01-31T09:30:00Z'],
  ['timestamp', DAY, '31.01.2026', '2026-01-31T00:00:00Z'],
];
const BERLIN = { format: 'DD.MM.YYYY HH:mm', zone: 'Europe/Berlin' };
const ZONED: typeof TIMES = [
  ['timestamp', BERLIN, '31.01.2026 09:30', '2026-01-31T08:30:00Z'],
  ['timestamp', BERLIN, '31.07.2026 09:30', '2026-07-31T07:30:00Z'],
  ['timestamp', BERLIN, '29.03.2026 01:59', '2026-03-29T00:59:00Z'],
  ['timestamp', BERLIN, '29.03.2026 02:30', /^refused: "29.03.2026 02:30" is not a timestamp/],
  ['timestamp', BERLIN, '29.03.2026 03:00', '2026-03-29T01:00:00Z'],
  ['timestamp', BERLIN, '25.10.2026 02:30', '2026-10-25T00:30:00Z'],
  ['timestamp', BERLIN, '26.10.2026 02:30', '2026-10-26T01:30:00Z'],
  ['timestamp', { zone: 'Europe/Berlin' }, '2026-07-31 09:30:00.5', '2026-07-31T07:30:00.5Z'],
  ['timestamp', { zone: 'Europe/Berlin' }, '2026-07-31T09:30:00Z', '2026-07-31T09:30:00Z'],
  ['timestamp', { zone: 'Europe/Berlin' }, '2026-07-31T09:30:00+05:00', '2026-07-31T04:30:00Z'],
  ['timestamp', { zone: 'Europe/Berlin' }, '2026-07-31', '2026-07-30T22:00:00Z'],
];
const NUMBERS: typeof TIMES = [
  ['decimal', { locale: 'de' }, '1.234.567,50', '1234567.50'],
  ['decimal', { locale: 'de' }, '1234,5', '1234.5'],
  ['decimal', { locale: 'de' }, '-1.344,37', '-1344.37'],
  ['decimal', { locale: 'de' }, '1.5', 'refused: "1.5" is not a decimal as "de" writes it'],
  ['decimal', { locale: 'de' }, '12.34.567', /^refused/],
  ['decimal', { locale: 'de' }, '1.234.56', /^refused/],
  ['decimal', { locale: 'de' }, '', null],
  ['decimal', { locale: 'de' }, 12.5, '12.5'],
  ['decimal', { locale: 'en' }, '1,234.56', '1234.56'],
  ['decimal', { locale: 'en' }, '1,5', /^refused/],
  ['decimal', { locale: 'hi-IN' }, '12,34,567.5', '1234567.5'],
  ['decimal', { locale: 'hi-IN' }, '1,234,567.5', /^refused/],
  ['decimal', { locale: 'fr' }, '1 234 567,5', '1234567.5'],
  ['decimal', { locale: 'fr' }, '1\u202f234,5', '1234.5'],
  ['decimal', { locale: 'de-CH' }, "1'234.50", '1234.50'],
  ['decimal', { locale: 'de-CH' }, '1’234.50', '1234.50'],
  ['decimal', { locale: 'sv' }, '\u2212 1', /^refused/],
  ['decimal', { locale: 'sv' }, '\u22121,5', '-1.5'],
  ['number', { locale: 'de' }, '1.234,5', 1234.5],
  ['integer', { locale: 'de' }, '1.234', 1234],
  ['integer', { locale: 'de' }, '1.234,5', /^refused/],
];

for (const [name, table] of Object.entries({ TIMES, ZONED, NUMBERS })) {
  t.test(`${name.toLowerCase()} as they are written`, async (t) => {
    for (const [type, options, value, expected] of table) {
      const given = cast(type, value, options);
      const what = `${type} ${JSON.stringify(options)} ${JSON.stringify(value)}`;
      if (expected instanceof RegExp) t.match(given, expected, what);
      else t.equal(given, expected, what);
    }
  });
}

const task = (cast: string) => `version: 1
name: a_task
connectors: { files: { type: csv } }
steps:
  - { id: read, kind: extract, connector: files, method: read }
  - id: shape
    kind: transform
    input: read
    ops: [{ cast: ${cast} }]
`;

t.test('what a cast cannot mean is refused in the document', async (t) => {
  const problems = (cast: string) => {
    const parsed = parseTask(task(cast));
    return parsed.ok ? [] : parsed.problems.map(({ message, path }) => `${path}: ${message}`);
  };
  t.same(problems('{ day: { type: date, format: DD.MM.YYYY }, price: { type: decimal, locale: de } }'), []);
  t.same(
    problems('{ at: { type: timestamp, format: [DD.MM.YYYY, "YYYY-MM-DD HH:mm"], zone: Asia/Tokyo } }'),
    [],
  );
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['{ a: { format: DD.MM.YYYY } }', /"type" is required/],
    ['{ a: { type: date, format: dd.mm.yyyy } }', /letters that are not time parts; there are YYYY/],
    ['{ a: { type: date, format: MM.YYYY } }', /"MM\.YYYY" does not contain a year, a month and a day/],
    ['{ a: { type: date, format: [DD.MM.YYYY, 7] } }', /format\[1\]: A format must be a text, not a number/],
    ['{ a: { type: date, format: [] } }', /"format" must not be empty/],
    ['{ a: { type: date, format: DD.DD.MM.YYYY } }', /names the day twice/],
    ['{ a: { type: time, format: "h:mm" } }', /needs both h and A, or H/],
    ['{ a: { type: time, format: "mm:ss" } }', /does not contain hours and minutes/],
    ['{ a: { type: decimal, format: DD.MM.YYYY } }', /"format" has no effect: a decimal has no format/],
    ['{ a: { type: date, zone: UTC, format: DD.MM.YYYY } }', /"zone" has no effect: a date has no time zone/],
    ['{ a: { type: date, locale: de } }', /"locale" has no effect: there is no "format" beside it/],
    ['{ a: { type: boolean, locale: de } }', /"locale" has no effect: a boolean is the same in every locale/],
    ['{ a: { type: timestamp, zone: Europe/Berlyn } }', /"Europe\/Berlyn" is not an IANA time zone/],
    ['{ a: { type: decimal, locale: d } }', /"d" is not a language tag/],
    ['{ a: { type: decimal, locale: xx-YY } }', /Unknown locale "xx-YY"/],
    ['{ a: { type: decimal, marks: de } }', /Unknown key "marks"/],
  ];
  for (const [cast, message] of wrong) t.match(problems(cast).join('\n'), message, cast);
  const long = problems(`{ a: { type: decimal, locale: ${'x'.repeat(200_000)} } }`).join('\n');
  t.match(long, /35/);
  t.notMatch(long, /Unknown locale/, 'what is too long for a locale is not looked for: that takes seconds');
});

t.test('a day in another order says what reads it', async (t) => {
  const day = castTo('date');
  for (const [text, format] of [
    ['10/31/2026', 'MM/DD/YYYY'],
    ['10/01/2026', 'MM/DD/YYYY'],
    ['31/10/2026', 'DD/MM/YYYY'],
    ['31.10.2026', 'DD.MM.YYYY'],
    ['1.2.2026', 'D.M.YYYY'],
    ['9/30/2026', 'M/D/YYYY'],
    ['05-11-2026', 'DD-MM-YYYY'],
  ] as const) {
    const message = `"${text}" is not a date; give the cast a "format", such as ${format}`;
    t.throws(() => day(text), { message }, text);
    t.match(cast('date', text, { format }), /^2026-/, `${format} reads it`);
  }
  t.throws(() => day('2026-02-31'), { message: '"2026-02-31" is not a date' });
  t.throws(() => castTo('time')('10/31/2026'), { message: '"10/31/2026" is not a time' });
});
