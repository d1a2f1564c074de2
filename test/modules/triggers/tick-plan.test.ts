import fc from 'fast-check';
import t from 'tap';
import { nextTimes } from '../../../src/language/cron/next-times.ts';
import {
  CATCHUP_RUNS_MAX,
  LATE_MAX_MS,
  MISSED_COUNT_MAX,
  planTick,
} from '../../../src/modules/triggers/tick-plan.ts';
import { CATCHUPS, type Catchup } from '../../../src/modules/triggers/trigger.ts';
import { requireSchedule } from '../../../src/modules/triggers/trigger-schedule.ts';

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
const show = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().slice(11, 16));

const plain = (catchup: Catchup) => ({ catchup, windowMs: null, startsAt: (at: number) => at });

t.test('what is due is fired, made up for, or counted as missed', async (t) => {
  const cases: [Catchup, string, string, [string | null, number, string | null]][] = [
    ['none', '09:00:00', '09:00:00', ['09:00', 0, '10:00']],
    ['none', '09:00:00', '09:01:00', ['09:00', 0, '10:00']],
    ['none', '09:00:00', '09:01:01', [null, 1, '10:00']],
    ['none', '09:00:00', '12:00:30', ['12:00', 3, '13:00']],
    ['none', '09:00:00', '12:30:00', [null, 4, '13:00']],
    ['latest', '09:00:00', '12:30:00', ['12:00', 3, '13:00']],
    ['latest', '09:00:00', '12:00:30', ['12:00', 3, '13:00']],
    ['all', '09:00:00', '12:30:00', ['09:00', 0, '10:00']],
    ['all', '12:00:00', '12:30:00', ['12:00', 0, '13:00']],
  ];
  for (const [catchup, first, now, [fire, missed, next]] of cases) {
    const plan = await planTick(requireSchedule('0 * * * *', 'UTC'), plain(catchup), at(first), at(now));
    t.same(
      [show(plan.fire), plan.missed, show(plan.next)],
      [fire, missed, next],
      `${catchup}: ${first} at ${now}`,
    );
  }
});

t.test('`all` is bounded: the newest are made up for, the rest count as missed', async (t) => {
  const schedule = requireSchedule('* * * * *', 'UTC');
  const now = at('12:00:30');
  const plan = await planTick(schedule, plain('all'), now - 30_000 - 300 * 60_000, now);
  t.equal(plan.fire, at('12:00:00') - (CATCHUP_RUNS_MAX - 1) * 60_000);
  t.equal(plan.missed, 301 - CATCHUP_RUNS_MAX);
  t.equal(plan.next, (plan.fire ?? 0) + 60_000);
});

t.test('years of every minute are passed over at once, and the newest time is still found', async (t) => {
  const schedule = requireSchedule('* * * * *', 'Europe/Berlin');
  const now = Date.parse('2026-03-10T12:00:30Z');
  const began = performance.now();
  const latest = await planTick(schedule, plain('latest'), now - 5 * 365 * 86_400_000, now);
  t.equal(latest.fire, now - 30_000);
  t.equal(latest.future, now + 30_000);
  t.ok(latest.missed <= MISSED_COUNT_MAX, `${latest.missed} counted`);
  t.ok(performance.now() - began < 5_000);
});

t.test('a schedule that never comes again has no next time', async (t) => {
  const leapDay = requireSchedule('0 0 29 2 *', 'UTC');
  const first = Date.parse('2024-02-29T00:00:00Z');
  const plan = await planTick(leapDay, plain('none'), first, first + 10);
  t.equal(plan.fire, first);
  t.equal(plan.next, Date.parse('2028-02-29T00:00:00Z'));
});

t.test('following plans to the end handles every due time once', async () => {
  const crons = ['* * * * *', '*/7 * * * *', '0 */5 * * *', '30 2 * * *', '0 9 * * 1-5', '15 3 1 * *'];
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York'];
  const property = fc.asyncProperty(
    fc.constantFrom(...crons),
    fc.constantFrom(...zones),
    fc.constantFrom(...CATCHUPS),
    fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2026, 0, 1) }),
    fc.integer({ min: 0, max: 15 * 3_600_000 }),
    async (cron, zone, catchup, start, gap) => {
      const schedule = requireSchedule(cron, zone);
      const [first = 0] = nextTimes(schedule.cron, zone, start, 1);
      const now = first + gap;
      const all = nextTimes(schedule.cron, zone, first - 1, 1_000).filter((time) => time <= now);
      let next: number | null = first;
      let missed = 0;
      const fired: number[] = [];
      while (next !== null && next <= now) {
        const plan = await planTick(schedule, plain(catchup), next, now);
        if (plan.fire !== null) fired.push(plan.fire);
        missed += plan.missed;
        next = plan.next;
      }
      const late = all.filter((time) => time < now - LATE_MAX_MS);
      const right =
        fired.length + missed === all.length &&
        new Set(fired).size === fired.length &&
        fired.every((time) => all.includes(time)) &&
        next === (nextTimes(schedule.cron, zone, now, 1)[0] ?? null) &&
        (catchup !== 'none' || missed === late.length) &&
        (catchup !== 'latest' || fired.includes(all.at(-1) ?? 0)) &&
        (catchup !== 'all' || fired.length === Math.min(all.length, CATCHUP_RUNS_MAX));
      if (!right) throw new Error(`fired ${fired.length}, missed ${missed} of ${all.length}`);
    },
  );
  await fc.assert(property, { numRuns: 30 });
});
