import { type Problem, validationError } from '../../../base/errors.ts';
import { isExactNumber } from '../../../base/values/exact-json.ts';
import type { DashboardFilter } from './dashboard-filter.ts';

/** What was chosen, by the ids of filters, as an address has it. */
export type FilterTexts = Readonly<Record<string, string>>;

/** What expressions read: text, number, `{from, to}`, or null for nothing. */
export type FilterValues = Readonly<Record<string, unknown>>;

export const FILTER_CHARS_MAX = 200;

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The days of a period that ends today, from and to. */
const DATE_PERIODS: Readonly<Record<string, (today: number) => readonly [from: number, to: number]>> = {
  today: (today) => [today, today],
  yesterday: (today) => [today - dayMs, today - dayMs],
  last_7_days: (today) => [today - 6 * dayMs, today],
  last_30_days: (today) => [today - 29 * dayMs, today],
  last_90_days: (today) => [today - 89 * dayMs, today],
  this_month: (today) => [monthOf(today, 0), today],
  last_month: (today) => [monthOf(today, -1), monthOf(today, 0) - dayMs],
  this_year: (today) => [Date.UTC(new Date(today).getUTCFullYear(), 0, 1), today],
};

/** Milliseconds of a period that ends now. */
const TIME_PERIODS: Readonly<Record<string, number>> = {
  last_hour: 60 * minuteMs,
  last_6_hours: 6 * 60 * minuteMs,
  last_24_hours: dayMs,
  last_7_days: 7 * dayMs,
  last_30_days: 30 * dayMs,
};

/** What is wrong with a text as the value of a filter, for people; null for nothing. */
export function filterProblem(filter: DashboardFilter, text: string): string | null {
  if (text.length > FILTER_CHARS_MAX) return `"${filter.label}" takes at most ${FILTER_CHARS_MAX} characters`;
  switch (filter.type) {
    case 'text':
      return null;
    case 'select': {
      const known = filter.options?.some(({ value }) => value === text) ?? true;
      return known ? null : `"${filter.label}" has no choice "${text}"`;
    }
    case 'number':
      return numberOf(text) === null ? `"${filter.label}" must be a number, not "${text}"` : null;
    case 'date_range':
      return rangeProblem(filter, text, DATE_PERIODS, dateOf, '2026-01-01..2026-01-31');
    case 'time_range':
      return rangeProblem(filter, text, TIME_PERIODS, momentOf, '2026-01-01T08:00:00Z..2026-01-01T17:00:00Z');
    default:
      return filter.type satisfies never;
  }
}

/** The texts that hold: those given, and the defaults of others. An empty text chooses nothing, in place of the default. */
export function chosenTexts(filters: readonly DashboardFilter[], given: FilterTexts): FilterTexts {
  const problems: Problem[] = [];
  for (const id of Object.keys(given)) {
    if (!filters.some((filter) => filter.id === id))
      problems.push({ path: `filter.${id}`, message: `The dashboard has no filter "${id}"` });
  }
  const chosen: Record<string, string> = {};
  for (const filter of filters) {
    const text = (Object.hasOwn(given, filter.id) ? given[filter.id] : null) ?? filter.default ?? '';
    if (text === '') continue;
    const problem = filterProblem(filter, text);
    if (problem === null) chosen[filter.id] = text;
    else problems.push({ path: `filter.${filter.id}`, message: problem });
  }
  if (problems.length > 0) throw validationError(problems);
  return chosen;
}

/**
 * What expressions read as `filter`: every filter, null where nothing is chosen. Dates are days in UTC, both included; moments are
 * RFC 3339, and `now` is rounded up to a minute. An open end of a range is null.
 */
export function filterValues(
  filters: readonly DashboardFilter[],
  chosen: FilterTexts,
  now: number,
): FilterValues {
  return Object.fromEntries(
    filters.map((filter) => [filter.id, choiceOf(filter, chosen[filter.id] ?? null, now)]),
  );
}

function choiceOf({ type }: DashboardFilter, text: string | null, now: number): unknown {
  if (type === 'date_range') {
    const period = text === null ? undefined : ownValue(DATE_PERIODS, text);
    const [from, to] = period?.(now - (now % dayMs)) ?? [];
    if (from !== undefined && to !== undefined) return { from: dayText(from), to: dayText(to) };
    return rangeOf(text);
  }
  if (type === 'time_range') {
    const spanMs = text === null ? undefined : ownValue(TIME_PERIODS, text);
    if (spanMs === undefined) return rangeOf(text);
    const to = Math.ceil(now / minuteMs) * minuteMs;
    return { from: new Date(to - spanMs).toISOString(), to: new Date(to).toISOString() };
  }
  if (text === null) return null;
  return type === 'number' ? numberOf(text) : text;
}

function rangeOf(text: string | null): { readonly from: string | null; readonly to: string | null } {
  const [from = '', to = ''] = text?.split('..') ?? [];
  return { from: from || null, to: to || null };
}

function rangeProblem(
  { label }: DashboardFilter,
  text: string,
  periods: Readonly<Record<string, unknown>>,
  endOf: (text: string) => number | null,
  example: string,
): string | null {
  if (Object.hasOwn(periods, text)) return null;
  const ends = text.split('..');
  const wrong = `"${label}" must be a range such as ${example} or one of ${Object.keys(periods).join(', ')}, not "${text}"`;
  if (ends.length !== 2 || ends.every((end) => end === '')) return wrong;
  const [from, to] = ends.map((end) => (end === '' ? undefined : endOf(end)));
  if (from === null || to === null) return wrong;
  return from !== undefined && to !== undefined && from > to ? `"${label}" ends before it begins` : null;
}

/** One that a double would change stays text. */
function numberOf(text: string): number | string | null {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) return null;
  return isExactNumber(text) ? Number(text) : text;
}

function dateOf(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // A day that a month does not have is another one.
  return Number.isNaN(at) || dayText(at) !== text ? null : at;
}

function momentOf(text: string): number | null {
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/;
  const at = form.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function monthOf(at: number, months: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + months, 1);
}

function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
