import fc from 'fast-check';
import t from 'tap';
import { nextTimes } from '../../../../src/language/cron/next-times.ts';
import {
  CATCHUP_RUNS_MAX,
  LATE_MAX_MS,
  MISSED_COUNT_MAX,
  planTick,
} from '../../../../src/modules/triggers/tick/tick-plan.ts';
import { CATCHUPS, type Catchup } from '../../../../src/modules/triggers/trigger.ts';
import {
  delayOf,
  nextScheduled,
  requireSchedule,
} from '../../../../src/modules/triggers/trigger-schedule.ts';
import { fewOrAll } from '../../../support/fault-list.ts';

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

t.test('after a long gap the newest time is found, however unevenly they come', async (t) => {
  const from = Date.parse('2025-12-31T23:59:30Z');
  for (const [cron, now, newest] of [
    ['* * * 1 *', '2026-11-10T12:00:00Z', '2026-01-31T23:59:00Z'],
    ['* 9-17 * * *', '2026-03-10T17:30:30Z', '2026-03-10T17:30:00Z'],
    ['* * 1 * *', '2026-03-01T23:00:30Z', '2026-03-01T23:00:00Z'],
  ] as const) {
    const schedule = requireSchedule(cron, 'UTC');
    const first = nextTimes(schedule.cron, 'UTC', from, 1)[0] ?? 0;
    const latest = await planTick(schedule, plain('latest'), first, Date.parse(now));
    t.equal(latest.fire, Date.parse(newest), cron);
    t.ok((latest.future ?? 0) > Date.parse(now));
    const all = await planTick(schedule, plain('all'), first, Date.parse(now));
    t.ok((all.fire ?? 0) > first && (all.fire ?? 0) <= Date.parse(newest));
    t.ok(all.missed <= MISSED_COUNT_MAX && all.missed > 1_000, `${all.missed} missed`);
  }
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
  await fc.assert(property, { numRuns: fewOrAll(10, 30) });
});

t.test(
  'whatever the settings and outages, each time within the bounds is started once, or counted as missed',
  async () => {
    const HOUR = 3_600_000;
    const property = fc.asyncProperty(
      fc.record({
        cron: fc.constantFrom('*/7 * * * *', '0 * * * *', '0 */5 * * *', '30 2 * * *', '10,50 1-3 * * *'),
        zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Sao_Paulo'),
        catchup: fc.constantFrom(...CATCHUPS),
        windowMs: fc.constantFrom(null, HOUR / 2, 4 * HOUR),
        jitter: fc.constantFrom(0, 90, 3_600),
        id: fc.nat(),
        from: fc.integer({ min: Date.UTC(2018, 0, 1), max: Date.UTC(2018, 11, 30) }),
        start: fc.option(fc.nat({ max: 20 * HOUR })),
        end: fc.option(fc.nat({ max: 30 * HOUR })),
        passes: fc.array(fc.oneof(fc.constant(1_000), fc.nat({ max: 5 * HOUR })), {
          minLength: 1,
          maxLength: 12,
        }),
      }),
      async ({ cron, zone, catchup, windowMs, jitter, id, from, start, end, passes }) => {
        const start_at = start === null ? null : from + start;
        const end_at = end === null ? null : (start_at ?? from) + end + 1;
        const schedule = requireSchedule(cron, zone, { start_at, end_at });
        const startsAt = (at: number) => at + delayOf(schedule, { id, jitter_seconds: jitter }, at);
        const done = new Map<number, number>();
        let missed = 0;
        let next = nextScheduled(schedule, from);
        let now = from;
        for (const pass of passes) {
          now += pass;
          while (next !== null && startsAt(next) <= now) {
            const plan = await planTick(schedule, { catchup, windowMs, startsAt }, next, now);
            missed += plan.missed;
            if (plan.fire !== null) done.set(plan.fire, (done.get(plan.fire) ?? 0) + 1);
            const tooOld = plan.fire !== null && windowMs !== null && plan.fire < now - windowMs;
            if (tooOld && startsAt(plan.fire ?? 0) < now - LATE_MAX_MS)
              throw new Error('made up for beyond the window');
            if (plan.fire !== null && startsAt(plan.fire) > now) throw new Error('started before its jitter');
            next = plan.next;
          }
        }
        // What the schedule without bounds has, cut by hand.
        const all = nextTimes(schedule.cron, zone, from, 1_000).filter(
          (at) =>
            (start_at === null || at >= start_at) && (end_at === null || at < end_at) && startsAt(at) <= now,
        );
        const once = [...done.values()].every((count) => count === 1);
        if (!once || ![...done.keys()].every((at) => all.includes(at)) || done.size + missed !== all.length)
          throw new Error(`started ${done.size}, missed ${missed} of ${all.length}`);
      },
    );
    await fc.assert(property, { numRuns: fewOrAll(20, 60) });
  },
);
