import t from 'tap';
import { planMonths } from '../../src/ui/screens/jobs/backfill/plan-months.ts';
import { dayAfter, dayOf, startOfDay } from '../../src/ui/screens/jobs/backfill/zoned-day.ts';

const iso = (at: number) => new Date(at).toISOString();

t.test('a day begins at its midnight in the zone, on days of clock changes too', async (t) => {
  for (const [day, zone, begins] of [
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00.000Z'],
    ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
    ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
    // There the clock goes from 23:59 to 01:00: the day has no midnight.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
    ['2026-01-01', 'UTC', '2026-01-01T00:00:00.000Z'],
  ] as const)
    t.equal(iso(startOfDay(day, zone)), begins, `${day} in ${zone}`);
});

t.test('each day of a year is the day that it begins, in every zone', async (t) => {
  for (const zone of [
    'Europe/Berlin',
    'America/Santiago',
    'Australia/Lord_Howe',
    'America/St_Johns',
    'Asia/Tehran',
  ])
    for (let day = '2026-01-01'; day < '2027-01-01'; day = dayAfter(day, 1)) {
      const at = startOfDay(day, zone);
      if (dayOf(at, zone) !== day || dayOf(at - 1, zone) >= day) t.fail(`${day} in ${zone}: ${iso(at)}`);
    }
});

t.test('a plan is laid out as months of weeks that begin on Monday, by the days of its zone', async (t) => {
  const at = (scheduled_for: string, outcome = 'none') => ({ scheduled_for, outcome });
  const times = [at('2026-01-31T23:30:00Z'), at('2026-02-02T06:00:00Z', 'error'), at('2026-02-02T18:00:00Z')];
  const months = planMonths(times, 'Europe/Berlin');
  t.same(
    months.map(({ day, weeks }) => [day, weeks.length]),
    [['2026-02-01', 5]],
    'half past eleven in London is February in Berlin',
  );
  const [first, second] = months[0]?.weeks ?? [];
  t.same(first?.slice(0, 6), [null, null, null, null, null, null]);
  t.same(first?.[6], { day: '2026-02-01', times: [times[0]] });
  t.same(second?.[0], { day: '2026-02-02', times: [times[1], times[2]] });
  t.equal(months[0]?.weeks.at(-1)?.[5]?.day, '2026-02-28');
  t.equal(months[0]?.weeks.at(-1)?.[6], null);
  t.same(planMonths([], 'UTC'), []);
});
