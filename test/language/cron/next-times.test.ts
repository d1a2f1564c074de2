import fc from 'fast-check';
import t from 'tap';
import { nextTime, nextTimes } from '../../../src/language/cron/next-times.ts';
import { type CronSchedule, parseCron } from '../../../src/language/cron/parse-cron.ts';
import { findZone } from '../../../src/language/cron/zone.ts';
import { fewOrAll } from '../../support/fault-list.ts';

function cronOf(expression: string): CronSchedule {
  const parsed = parseCron(expression);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.cron;
}

function times(expression: string, zone: string, after: string, count: number): string {
  return nextTimes(cronOf(expression), zone, Date.parse(after), count)
    .map((ms) => new Date(ms).toISOString().replace(':00.000Z', 'Z'))
    .join(' ');
}

t.test('ordinary times, in their zone', async (t) => {
  t.equal(
    times('*/15 * * * *', 'UTC', '2026-01-01T00:07:30Z', 3),
    '2026-01-01T00:15Z 2026-01-01T00:30Z 2026-01-01T00:45Z',
  );
  t.equal(
    times('0 9 * * MON-FRI', 'Europe/Berlin', '2026-01-02T09:00Z', 2),
    '2026-01-05T08:00Z 2026-01-06T08:00Z',
  );
  t.equal(times('0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', 2), '2028-02-29T00:00Z 2032-02-29T00:00Z');
  t.equal(
    times('0 0 13 * FRI', 'UTC', '2026-02-01T00:00Z', 3),
    '2026-02-06T00:00Z 2026-02-13T00:00Z 2026-02-20T00:00Z',
  );
  t.equal(times('0 0 L * *', 'UTC', '2026-02-01T00:00Z', 1), '2026-02-28T00:00Z');
  t.equal(times('@daily', 'America/New_York', '2026-01-01T12:00Z', 1), '2026-01-02T05:00Z');
  t.equal(times('30 5 * * *', 'Asia/Kathmandu', '2026-01-01T00:00Z', 1), '2026-01-01T23:45Z');
});

t.test('the next time is after the given one, never at it', async (t) => {
  t.equal(times('0 * * * *', 'UTC', '2026-01-01T01:00:00.000Z', 1), '2026-01-01T02:00Z');
  t.equal(times('0 * * * *', 'UTC', '2026-01-01T00:59:59.999Z', 1), '2026-01-01T01:00Z');
});

// [expression, zone, after, times]: around the night on which the clock is set forward.
const GAPS: [string, string, string, string][] = [
  // Berlin: 02:00 becomes 03:00 at 01:00Z on 29 March 2026.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T01:00Z 2026-03-30T00:30Z'],
  ['0 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', '2026-03-29T01:00Z 2026-03-30T00:00Z'],
  [
    '*/15 2 * * *',
    'Europe/Berlin',
    '2026-03-28T12:00Z',
    '2026-03-29T01:00Z 2026-03-30T00:00Z 2026-03-30T00:15Z',
  ],
  [
    '30 1,2,3 * * *',
    'Europe/Berlin',
    '2026-03-28T22:00Z',
    '2026-03-29T00:30Z 2026-03-29T01:00Z 2026-03-29T01:30Z',
  ],
  ['0 2,3 * * *', 'Europe/Berlin', '2026-03-28T22:00Z', '2026-03-29T01:00Z 2026-03-30T00:00Z'],
  [
    '0 */2 * * *',
    'Europe/Berlin',
    '2026-03-28T22:30Z',
    '2026-03-28T23:00Z 2026-03-29T01:00Z 2026-03-29T02:00Z',
  ],
  [
    '30 * * * *',
    'Europe/Berlin',
    '2026-03-28T23:45Z',
    '2026-03-29T00:30Z 2026-03-29T01:30Z 2026-03-29T02:30Z',
  ],
  [
    '*/30 * * * *',
    'Europe/Berlin',
    '2026-03-29T00:15Z',
    '2026-03-29T00:30Z 2026-03-29T01:00Z 2026-03-29T01:30Z',
  ],
  // New York: 02:00 becomes 03:00 at 07:00Z on 8 March 2026.
  ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', '2026-03-08T07:00Z 2026-03-09T06:30Z'],
  [
    '0 * * * *',
    'America/New_York',
    '2026-03-08T05:30Z',
    '2026-03-08T06:00Z 2026-03-08T07:00Z 2026-03-08T08:00Z',
  ],
  // Lord Howe: 02:00 becomes 02:30 at 15:30Z on 3 October 2026.
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', '2026-10-03T15:30Z 2026-10-04T15:15Z'],
  ['45 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', '2026-10-03T15:45Z 2026-10-04T15:45Z'],
  [
    '0 * * * *',
    'Australia/Lord_Howe',
    '2026-10-03T14:00Z',
    '2026-10-03T14:30Z 2026-10-03T15:30Z 2026-10-03T16:00Z',
  ],
  [
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2026-10-03T15:10Z',
    '2026-10-03T15:15Z 2026-10-03T15:30Z 2026-10-03T15:45Z',
  ],
  // Samoa had no 30 December 2011.
  ['0 12 30 12 *', 'Pacific/Apia', '2011-01-01T00:00Z', '2011-12-30T10:00Z 2012-12-29T22:00Z'],
];

t.test('a time that the clock skips fires once, at the first instant after the gap', async (t) => {
  for (const [expression, zone, after, expected] of GAPS) {
    t.equal(times(expression, zone, after, expected.split(' ').length), expected, `${expression} in ${zone}`);
  }
});

// Around the night on which the clock is set back.
const FOLDS: [string, string, string, string][] = [
  // Berlin: 03:00 becomes 02:00 at 01:00Z on 25 October 2026.
  ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-25T00:30Z 2026-10-26T01:30Z'],
  ['0 3 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', '2026-10-25T02:00Z 2026-10-26T02:00Z'],
  [
    '*/30 2 * * *',
    'Europe/Berlin',
    '2026-10-24T12:00Z',
    '2026-10-25T00:00Z 2026-10-25T00:30Z 2026-10-26T01:00Z',
  ],
  [
    '0 1,2,3 * * *',
    'Europe/Berlin',
    '2026-10-24T22:00Z',
    '2026-10-24T23:00Z 2026-10-25T00:00Z 2026-10-25T02:00Z',
  ],
  [
    '0 * * * *',
    'Europe/Berlin',
    '2026-10-24T23:30Z',
    '2026-10-25T00:00Z 2026-10-25T01:00Z 2026-10-25T02:00Z',
  ],
  [
    '*/30 * * * *',
    'Europe/Berlin',
    '2026-10-25T00:15Z',
    '2026-10-25T00:30Z 2026-10-25T01:00Z 2026-10-25T01:30Z',
  ],
  // New York: 02:00 becomes 01:00 at 06:00Z on 1 November 2026.
  ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', '2026-11-01T05:30Z 2026-11-02T06:30Z'],
  ['30 1 * * *', 'America/New_York', '2026-11-01T06:15Z', '2026-11-02T06:30Z'],
  [
    '30 * * * *',
    'America/New_York',
    '2026-11-01T05:00Z',
    '2026-11-01T05:30Z 2026-11-01T06:30Z 2026-11-01T07:30Z',
  ],
  // Lord Howe: 02:00 becomes 01:30 at 15:00Z on 4 April 2026.
  ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00Z', '2026-04-04T14:45Z 2026-04-05T15:15Z'],
  [
    '*/15 * * * *',
    'Australia/Lord_Howe',
    '2026-04-04T14:40Z',
    '2026-04-04T14:45Z 2026-04-04T15:00Z 2026-04-04T15:15Z',
  ],
];

t.test('a time that comes twice fires once, and every real hour where the hour is a wildcard', async (t) => {
  for (const [expression, zone, after, expected] of FOLDS) {
    t.equal(times(expression, zone, after, expected.split(' ').length), expected, `${expression} in ${zone}`);
  }
});

t.test(
  'whatever the schedule and zone, times ascend, and asking between two of them gives the second',
  async () => {
    const field = (max: number) =>
      fc.oneof(fc.constant('*'), fc.constant('*/7'), fc.nat({ max }).map(String));
    const start = Date.UTC(2026, 0, 1);
    fc.assert(
      fc.property(
        field(59),
        field(23),
        fc.constantFrom(
          'UTC',
          'Europe/Berlin',
          'America/New_York',
          'Australia/Lord_Howe',
          'America/St_Johns',
        ),
        fc.nat({ max: 365 * 24 * 60 }),
        (minute, hour, zone, offset) => {
          const cron = cronOf(`${minute} ${hour} * * *`);
          const list = nextTimes(cron, zone, start + offset * 60_000, 8);
          const ascending = list.every((ms, i) => i === 0 || ms > (list[i - 1] ?? 0));
          const [a = 0, b = 0] = list;
          return ascending && list.length === 8 && nextTime(cron, zone, Math.floor((a + b) / 2)) === b;
        },
      ),
      { numRuns: fewOrAll(100, 300) },
    );
  },
);

t.test('a daily time fires once on every day of the year, in every zone', async (t) => {
  for (const zone of ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
    for (const hour of ['1', '2', '3']) {
      const list = nextTimes(cronOf(`30 ${hour} * * *`), zone, Date.UTC(2026, 0, 1, 12), 365);
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
      t.equal(new Set(list.map((ms) => day.format(ms))).size, 365, `${hour}:30 in ${zone}`);
    }
  }
});

t.test('a wrong expression says what is wrong', async (t) => {
  const cases: [string, RegExp][] = [
    ['', /five fields .* not 0/],
    ['* * * *', /five fields .* not 4/],
    ['0 0 0 * * *', /five fields .* not 6/],
    ['60 * * * *', /not a cron expression: .*60/],
    ['a b c d e', /not a cron expression/],
    ['*/0 * * * *', /not a cron expression/],
    ['0 0 30 2 *', /never occurs:/],
    ['@reboot', /use one of @yearly/],
    ['__proto__', /five fields .* not 1/],
    ['constructor', /five fields .* not 1/],
    ['2026-01-01T00:00:00', /five fields/],
    ['* '.repeat(200), /at most 200 characters/],
  ];
  for (const [expression, problem] of cases) {
    const parsed = parseCron(expression);
    t.notOk(parsed.ok, expression);
    t.match(parsed.ok ? '' : parsed.problem, problem);
  }
});

t.test('a zone must exist', async (t) => {
  for (const zone of ['', 'Mars/Olympus', '+02:00', 'Europe/Berlin; x', '../etc'])
    t.equal(findZone(zone), null, zone);
  for (const zone of ['UTC', 'Etc/GMT+5', 'America/Argentina/Buenos_Aires']) t.ok(findZone(zone), zone);
  t.throws(() => nextTime(cronOf('@hourly'), 'Mars/Olympus', 0), RangeError);
});
