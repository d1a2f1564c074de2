import { dayAfter, dayOf } from './zoned-day.ts';

const weekDays = 7;

export interface PlannedTime {
  readonly scheduled_for: string;
  readonly outcome: string;
}

/** A day of a month, with what the plan runs on it; null for a place before the first and after the last. */
export type PlanDay = { readonly day: string; readonly times: readonly PlannedTime[] } | null;

export interface PlanMonth {
  /** Its first day. */
  readonly day: string;
  readonly weeks: readonly (readonly PlanDay[])[];
}

/** The months that a plan touches, oldest first, as weeks that begin on Monday, in the trigger's time zone. */
export function planMonths(times: readonly PlannedTime[], timeZone: string): readonly PlanMonth[] {
  const byDay = new Map<string, PlannedTime[]>();
  for (const time of times) {
    const day = dayOf(Date.parse(time.scheduled_for), timeZone);
    const others = byDay.get(day);
    if (others === undefined) byDay.set(day, [time]);
    else others.push(time);
  }
  const months = [...new Set([...byDay.keys()].map((day) => `${day.slice(0, 7)}-01`))].sort();
  return months.map((first) => ({ day: first, weeks: weeksOf(first, byDay) }));
}

function weeksOf(first: string, byDay: ReadonlyMap<string, readonly PlannedTime[]>): PlanDay[][] {
  // Monday is the first of a week: Sunday, 0 of JavaScript, its last.
  const lead = (new Date(`${first}T00:00:00Z`).getUTCDay() + weekDays - 1) % weekDays;
  const days: PlanDay[] = Array.from({ length: lead }, () => null);
  for (let day = first; day.slice(0, 7) === first.slice(0, 7); day = dayAfter(day, 1))
    days.push({ day, times: byDay.get(day) ?? [] });
  while (days.length % weekDays !== 0) days.push(null);
  return Array.from({ length: days.length / weekDays }, (_, week) =>
    days.slice(week * weekDays, (week + 1) * weekDays),
  );
}
