import type { ReactNode } from 'react';
import { useCatalogue } from '../../../texts/texts-context.tsx';
import { wordOf } from '../../../texts/word-of.ts';
import { type PlanDay, type PlannedTime, planMonths } from './plan-months.ts';

/** A Monday, for the names of the days. */
const monday = Date.UTC(2024, 0, 1);
const dayMs = 86_400_000;
const weekDays = 7;

interface PlanCalendarProps {
  readonly times: readonly PlannedTime[];
  readonly timeZone: string;
}

/** The times of a plan on the days of their months, and what was before on each. */
export function PlanCalendar({ times, timeZone }: PlanCalendarProps): ReactNode {
  const { locale } = useCatalogue();
  const names = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(at);
  const heads = Array.from({ length: weekDays }, (_, at) => monday + at * dayMs);
  return (
    <div className="plan-months">
      {planMonths(times, timeZone).map((month) => (
        <table key={month.day} className="plan-month">
          <caption>{names(Date.parse(month.day), { month: 'long', year: 'numeric' })}</caption>
          <thead>
            <tr>
              {heads.map((at) => (
                <th key={at} scope="col" abbr={names(at, { weekday: 'long' })}>
                  {names(at, { weekday: 'narrow' })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {month.weeks.map((week) => (
              <tr key={week.find((day) => day !== null)?.day}>
                {week.map((day, at) => (
                  <DayCell key={day?.day ?? heads[at]} day={day} timeZone={timeZone} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}

function DayCell({ day, timeZone }: { readonly day: PlanDay; readonly timeZone: string }): ReactNode {
  const { locale, texts } = useCatalogue();
  const { backfill } = texts.jobs;
  if (day === null) return <td />;
  const { times } = day;
  const number = Number(day.day.slice(-2));
  if (times.length === 0) return <td>{number}</td>;
  const clock = new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' });
  const words = times.map(
    ({ scheduled_for, outcome }) =>
      `${clock.format(Date.parse(scheduled_for))} ${wordOf<string>(backfill.outcomes, outcome)}`,
  );
  const failed = times.some(({ outcome }) => ['error', 'cancelled', 'failed'].includes(outcome));
  return (
    <td data-planned={failed ? 'failed' : 'missed'} title={words.join('\n')}>
      {number}
      {times.length > 1 && <span className="plan-count">{backfill.perDay(times.length)}</span>}
      <span className="visually-hidden">{words.join(', ')}</span>
    </td>
  );
}
