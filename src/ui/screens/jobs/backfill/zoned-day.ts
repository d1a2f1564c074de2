const minuteMs = 60_000;

/** A day of the calendar in a time zone, as `2026-02-01`. */
export function dayOf(at: number, timeZone: string): string {
  // The Swedish form of a date is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);
}

/** `day` and so many days, as a calendar counts them. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** The moment at which a day begins there; where a clock change leaves out midnight, the first after it. */
export function startOfDay(day: string, timeZone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`);
  const before = wall - offsetMs(wall, timeZone);
  const exact = wall - offsetMs(before, timeZone);
  // Of two candidates around a clock change the earlier one that is that day already.
  return [before, exact].sort((a, b) => a - b).find((at) => dayOf(at, timeZone) === day) ?? exact;
}

/** How far the clocks there are ahead of UTC. */
function offsetMs(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return wall - Math.floor(at / minuteMs) * minuteMs;
}
