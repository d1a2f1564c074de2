import fc from 'fast-check';
import t from 'tap';
import { nextTimes } from '../../../src/language/cron/next-times.ts';
import { parseCron } from '../../../src/language/cron/parse-cron.ts';
import { previousTime } from '../../../src/language/cron/previous-time.ts';

const SCHEDULES = [
  ['* * * * *', 'UTC'],
  ['0 * * * *', 'Europe/Berlin'],
  ['*/7 9-17 * * 1-5', 'America/New_York'],
  ['30 2 * * *', 'Europe/Berlin'],
  ['0 3 1 * *', 'Asia/Kolkata'],
  ['*/20 1,2,3 * * *', 'Europe/Berlin'],
  ['15 0 * * SUN', 'Australia/Lord_Howe'],
] as const;

function cronOf(expression: string) {
  const parsed = parseCron(expression);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.cron;
}

t.test(
  'the previous time is the one that has this for its next, over every set-back and set-forward',
  async () => {
    const days = fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2026-12-31') });
    fc.assert(
      fc.property(fc.constantFrom(...SCHEDULES), days, ([expression, zone], from) => {
        const cron = cronOf(expression);
        const times = nextTimes(cron, zone, from, 6);
        for (let index = 1; index < times.length; index++)
          if (previousTime(cron, zone, times[index] ?? 0) !== times[index - 1]) return false;
        return true;
      }),
      { numRuns: 150 },
    );
  },
);

t.test('it looks back for years, and then gives up', async (t) => {
  const leap = cronOf('0 0 29 2 *');
  t.equal(previousTime(leap, 'UTC', Date.parse('2028-02-29')), Date.parse('2024-02-29'));
  t.equal(
    previousTime(leap, 'UTC', Date.parse('1904-02-29')),
    Date.parse('1896-02-29'),
    'over 1900, which was no leap year',
  );
});
