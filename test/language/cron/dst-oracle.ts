const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const WINDOW_MINUTES = 3 * DAY_MINUTES;

/** Minutes and hours that a test's cron expression names; null: every one. Days are all. */
export interface Form {
  readonly minutes: readonly number[] | null;
  readonly hours: readonly number[] | null;
}

export function expressionOf({ minutes, hours }: Form): string {
  return `${minutes?.join(',') ?? '*'} ${hours?.join(',') ?? '*'} * * *`;
}

/** A minute there was, and what the clock showed: minutes too, as if in UTC. */
interface Minute {
  readonly instant: number;
  readonly wall: number;
}

/** The minutes of five days from the day before `from`, read off a zone's clock one by one. */
export function walkMinutes(zone: string, from: number): readonly Minute[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return Array.from({ length: WINDOW_MINUTES + 2 * DAY_MINUTES }, (_, index) => {
    // A day more on either side, so that what is skipped or repeated at the edges is seen whole.
    const instant = from + (index - DAY_MINUTES) * MINUTE_MS;
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = clock
      .format(instant)
      .split(/\D+/)
      .map(Number);
    return { instant, wall: Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS };
  });
}

/**
 * The times of a form in the three days from `from`, found by looking at every minute that there was: nothing of the product's own
 * arithmetic.
 */
export function walkedTimes(form: Form, walk: readonly Minute[], from: number): number[] {
  const named = (wall: number) =>
    (form.minutes?.includes(wall % HOUR_MINUTES) ?? true) &&
    (form.hours?.includes(Math.floor(wall / HOUR_MINUTES) % 24) ?? true);
  const found = new Set<number>();
  const seen = new Set<number>();
  for (const [index, { instant, wall }] of walk.entries()) {
    const before = walk[index - 1]?.wall ?? wall - 1;
    if (named(wall) && (form.hours === null || !seen.has(wall))) found.add(instant);
    seen.add(wall);
    const skipped = Array.from({ length: Math.max(0, wall - before - 1) }, (_, step) => before + 1 + step);
    if (skipped.some((minute) => named(minute) && isMadeUp(form, minute, wall, named))) found.add(instant);
  }
  const to = from + WINDOW_MINUTES * MINUTE_MS;
  return [...found].filter((instant) => instant > from && instant <= to).sort((a, b) => a - b);
}

/** A fixed time always; of every hour only where the hour has lost its beginning, and nothing else of it is named. */
function isMadeUp(form: Form, minute: number, end: number, named: (wall: number) => boolean): boolean {
  if (form.hours !== null) return true;
  const hour = Math.floor(end / HOUR_MINUTES);
  if (Math.floor(minute / HOUR_MINUTES) !== hour) return false;
  for (let rest = end; Math.floor(rest / HOUR_MINUTES) === hour; rest++) if (named(rest)) return false;
  return true;
}
