import t from 'tap';
import { nextTimes } from '../../../src/language/cron/next-times.ts';
import { parseCron } from '../../../src/language/cron/parse-cron.ts';
import { previousTime } from '../../../src/language/cron/previous-time.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { expressionOf, type Form, walkedTimes, walkMinutes } from './dst-oracle.ts';

const DAY_MS = 86_400_000;
const NEAR_MS = 2 * 3_600_000;

/** Zone, the instant at which its clock is set, and the hours on either side: what happens there. */
const CHANGES: readonly (readonly [zone: string, at: string, what: string])[] = [
  ['UTC', '2026-03-29T01:00:00Z', 'nothing'],
  ['Europe/London', '2026-03-29T01:00:00Z', '01:00 becomes 02:00'],
  ['Europe/London', '2026-10-25T01:00:00Z', '02:00 becomes 01:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '02:00 becomes 03:00'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z', '03:00 becomes 02:00'],
  ['America/New_York', '2026-03-08T07:00:00Z', '02:00 becomes 03:00'],
  ['America/New_York', '2026-11-01T06:00:00Z', '02:00 becomes 01:00'],
  ['America/St_Johns', '2006-04-02T03:31:00Z', '00:01 becomes 01:01'],
  ['America/St_Johns', '2006-10-29T02:31:00Z', '00:01 becomes 23:01 of the day before'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '02:00 becomes 02:30'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '02:00 becomes 01:30'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '30 December is skipped'],
  ['Pacific/Kwajalein', '1993-08-21T12:00:00Z', '21 August is skipped'],
  ['Africa/Casablanca', '2026-02-15T02:00:00Z', '03:00 becomes 02:00 for Ramadan'],
  ['Africa/Casablanca', '2026-03-22T02:00:00Z', '02:00 becomes 03:00 after it'],
  ['Africa/El_Aaiun', '2026-03-22T02:00:00Z', '02:00 becomes 03:00'],
  ['America/Sao_Paulo', '2018-11-04T03:00:00Z', 'midnight becomes 01:00'],
  ['America/Sao_Paulo', '2018-02-18T02:00:00Z', 'midnight becomes 23:00 of the day before'],
  ['America/Havana', '2026-03-08T05:00:00Z', 'midnight becomes 01:00'],
  ['America/Havana', '2026-11-01T05:00:00Z', '01:00 becomes midnight'],
  ['Asia/Beirut', '2026-03-28T22:00:00Z', 'midnight becomes 01:00'],
  ['Pacific/Chatham', '2026-09-26T14:00:00Z', '02:45 becomes 03:45'],
  ['Pacific/Chatham', '2026-04-04T14:00:00Z', '03:45 becomes 02:45'],
  ['Antarctica/Troll', '2026-03-29T01:00:00Z', '01:00 becomes 03:00'],
  ['Antarctica/Troll', '2026-10-25T01:00:00Z', '03:00 becomes 01:00'],
  ['Asia/Kathmandu', '1985-12-31T18:30:00Z', 'midnight becomes 00:15'],
  ['Asia/Pyongyang', '2018-05-04T15:00:00Z', '23:30 becomes midnight'],
  ['America/Caracas', '2007-12-09T07:00:00Z', '03:00 becomes 02:30'],
];

const every = (step: number) => Array.from({ length: 60 / step }, (_, index) => index * step);
/** Fixed times inside, before and after what is skipped or repeated; lists; steps; hours that all come. */
const FORMS: readonly Form[] = [
  ...[0, 1, 2, 3].flatMap((hour) => [0, 15, 30, 45].map((minute) => ({ minutes: [minute], hours: [hour] }))),
  { minutes: [30], hours: [23] },
  { minutes: [5], hours: [12] },
  { minutes: [0, 20, 40], hours: [2] },
  { minutes: [30], hours: [1, 2, 3] },
  { minutes: [0], hours: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22] },
  { minutes: every(15), hours: [1, 2] },
  { minutes: [0, 1, 2, 58, 59], hours: [2] },
  { minutes: [0], hours: null },
  { minutes: [7], hours: null },
  { minutes: [45], hours: null },
  { minutes: [0, 30], hours: null },
  { minutes: every(15), hours: null },
  { minutes: every(20), hours: null },
];

const show = (times: readonly number[]) =>
  times.map((ms) => new Date(ms).toISOString().slice(0, 16)).join(' ');

for (const [zone, at, what] of CHANGES) {
  t.test(`${zone}, ${at}: ${what}`, async (t) => {
    const from = Date.parse(at) - 1.5 * DAY_MS;
    const walk = walkMinutes(zone, from);
    // Others at each run; all of them in the full list.
    for (const form of seeded(t).someOf(FORMS, fewOrAll(3, 1))) {
      const expression = expressionOf(form);
      const parsed = parseCron(expression);
      if (!parsed.ok) throw new Error(parsed.problem);
      const expected = walkedTimes(form, walk, from);
      const found = nextTimes(parsed.cron, zone, from, Math.max(1, expected.length));
      t.ok(expected.length >= 2, expression);
      t.equal(show(found), show(expected), expression);
      // Asked from any moment, also inside what is repeated, the next is the next of the list.
      for (const [index, time] of expected.entries()) {
        const before = expected[index - 1];
        if (before === undefined || Math.abs(time - Date.parse(at)) > NEAR_MS) continue;
        t.same(nextTimes(parsed.cron, zone, Math.floor((before + time) / 2), 1), [time], expression);
        t.equal(previousTime(parsed.cron, zone, time), before, `before, ${expression}`);
      }
    }
  });
}

// By hand, for those who do not trust the walk: [expression, zone, after, times].
const BY_HAND: readonly (readonly [string, string, string, string])[] = [
  ['30 1 * * *', 'Europe/London', '2026-03-28T12:00:00Z', '2026-03-29T01:00 2026-03-30T00:30'],
  ['0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00:00Z', '2018-11-04T03:00 2018-11-05T02:00'],
  ['0 0 * * *', 'Asia/Beirut', '2026-03-28T00:00:00Z', '2026-03-28T22:00 2026-03-29T21:00'],
  ['0 0 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z', '2011-12-29T10:00 2011-12-30T10:00 2011-12-31T10:00'],
  ['0 3 * * *', 'Pacific/Chatham', '2026-09-26T00:00:00Z', '2026-09-26T14:00 2026-09-27T13:15'],
  ['30 1 * * *', 'Antarctica/Troll', '2026-03-28T12:00:00Z', '2026-03-29T01:00 2026-03-29T23:30'],
  ['30 2 * * *', 'Antarctica/Troll', '2026-10-24T12:00:00Z', '2026-10-25T00:30 2026-10-26T02:30'],
  [
    '0 * * * *',
    'Antarctica/Troll',
    '2026-10-24T23:30:00Z',
    '2026-10-25T00:00 2026-10-25T01:00 2026-10-25T02:00',
  ],
  ['0 0 * * *', 'America/Havana', '2026-10-31T12:00:00Z', '2026-11-01T04:00 2026-11-02T05:00'],
  ['30 2 * * *', 'Africa/Casablanca', '2026-02-14T12:00:00Z', '2026-02-15T01:30 2026-02-16T02:30'],
  ['30 2 * * *', 'Africa/El_Aaiun', '2026-03-21T12:00:00Z', '2026-03-22T02:00 2026-03-23T01:30'],
  ['5 0 * * *', 'Asia/Kathmandu', '1985-12-31T00:00:00Z', '1985-12-31T18:30 1986-01-01T18:20'],
];

t.test('by hand: once after a gap, fixed times once in a fold, every real hour for a wildcard', async (t) => {
  for (const [expression, zone, after, expected] of BY_HAND) {
    const parsed = parseCron(expression);
    if (!parsed.ok) throw new Error(parsed.problem);
    const found = nextTimes(parsed.cron, zone, Date.parse(after), expected.split(' ').length);
    t.equal(show(found), expected, `${expression} in ${zone}`);
  }
});
