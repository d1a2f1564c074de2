/** What stands at one place of a written time: a part of it, or characters as they are. */
export type FormatToken =
  | { readonly part: TimePart; readonly width: 'fixed' | 'free' | 'short' | 'long' }
  | { readonly literal: string };

export type TimePart =
  | 'year'
  | 'year2'
  | 'month'
  | 'monthName'
  | 'day'
  | 'hour'
  | 'hour12'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'meridiem'
  | 'offset';

/** `DD.MM.YYYY HH:mm`, taken apart. */
export interface TimeFormat {
  readonly source: string;
  readonly tokens: readonly FormatToken[];
}

const TOKENS: Readonly<Record<string, FormatToken>> = {
  YYYY: { part: 'year', width: 'fixed' },
  YY: { part: 'year2', width: 'fixed' },
  MMMM: { part: 'monthName', width: 'long' },
  MMM: { part: 'monthName', width: 'short' },
  MM: { part: 'month', width: 'fixed' },
  M: { part: 'month', width: 'free' },
  DD: { part: 'day', width: 'fixed' },
  D: { part: 'day', width: 'free' },
  HH: { part: 'hour', width: 'fixed' },
  H: { part: 'hour', width: 'free' },
  hh: { part: 'hour12', width: 'fixed' },
  h: { part: 'hour12', width: 'free' },
  mm: { part: 'minute', width: 'fixed' },
  m: { part: 'minute', width: 'free' },
  ss: { part: 'second', width: 'fixed' },
  s: { part: 'second', width: 'free' },
  S: { part: 'fraction', width: 'free' },
  A: { part: 'meridiem', width: 'free' },
  Z: { part: 'offset', width: 'free' },
};
const TOKEN = /\[([^[\]]*)\]|(YYYY|MMMM|MMM|YY|MM|DD|HH|hh|mm|ss|[MDHhmsSAZ])|([^A-Za-z[\]]+)/y;

/** The form of a format, as a JSON Schema takes it: letters are parts, or stand in brackets. */
export const TIME_FORMAT_PATTERN =
  '^(?:\\[[^\\[\\]]*\\]|YYYY|MMMM|MMM|YY|MM|DD|HH|hh|mm|ss|[MDHhmsSAZ]|[^A-Za-z\\[\\]])+$';
export const TIME_FORMAT_PARTS =
  'YYYY, YY, MMMM, MMM, MM, M, DD, D, HH, H, hh, h, mm, m, ss, s, S, A and Z; other letters must be in brackets, such as [at]';

/** Takes a format of the form above apart. */
export function readTimeFormat(source: string): TimeFormat {
  const tokens: FormatToken[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match !== null; match = TOKEN.exec(source)) {
    const [, bracketed, part, other] = match;
    tokens.push(TOKENS[part ?? ''] ?? { literal: bracketed ?? other ?? '' });
  }
  return { source, tokens };
}

/** Why no date, time or timestamp can be read by the format; null where one can. */
export function formatProblem(
  { source, tokens }: TimeFormat,
  type: 'date' | 'time' | 'timestamp',
): string | null {
  const parts = tokens.flatMap((token) => ('part' in token ? [token.part] : []));
  const has = (...wanted: readonly TimePart[]) => parts.some((part) => wanted.includes(part));
  const twice = GROUPS.find((group) => parts.filter((part) => group.includes(part)).length > 1);
  if (twice !== undefined) return `"${source}" names the ${twice[0]} twice`;
  if (has('hour12') !== has('meridiem')) return `"${source}" needs both h and A, or H`;
  if (type !== 'time' && !(has('year', 'year2') && has('month', 'monthName') && has('day')))
    return `"${source}" does not contain a year, a month and a day`;
  if (type === 'time' && !(has('hour', 'hour12') && has('minute')))
    return `"${source}" does not contain hours and minutes`;
  if (has('minute', 'second', 'fraction') && !has('hour', 'hour12')) return `"${source}" contains no hours`;
  return null;
}

const GROUPS: readonly (readonly TimePart[])[] = [
  ['year', 'year2'],
  ['month', 'monthName'],
  ['day'],
  ['hour', 'hour12'],
  ['minute'],
  ['second'],
  ['fraction'],
  ['offset'],
];
