import { castDate, castTimestamp, shifted, wallMs, zoneMinutes } from '../../../base/text/iso-time.ts';
import { findZone, wallTime } from '../../../language/cron/zone.ts';
import type { FormatToken, TimeFormat, TimePart } from '../../../language/task/cast/time-format.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MONTHS = 12;
/** Two digits are the year 2000 and later up to here, and 1900 and later beyond, as POSIX reads them. */
const YEAR2_PIVOT = 69;

const PATTERNS: Readonly<Record<Exclude<TimePart, 'monthName'>, Readonly<Record<string, string>>>> = {
  year: { fixed: '\\d{4}' },
  year2: { fixed: '\\d{2}' },
  month: { fixed: '\\d{2}', free: '\\d{1,2}' },
  day: { fixed: '\\d{2}', free: '\\d{1,2}' },
  hour: { fixed: '\\d{2}', free: '\\d{1,2}' },
  hour12: { fixed: '\\d{2}', free: '\\d{1,2}' },
  minute: { fixed: '\\d{2}', free: '\\d{1,2}' },
  second: { fixed: '\\d{2}', free: '\\d{1,2}' },
  fraction: { free: '\\d{1,9}' },
  meridiem: { free: '[AaPp]\\.?[Mm]\\.?' },
  offset: { free: '[Zz]|[+-]\\d{2}:?\\d{2}|[+-]\\d{2}' },
};

type Parts = Readonly<Partial<Record<TimePart, string>>>;
type Read = (text: string) => string | null;

export interface FormatOptions {
  readonly type: 'date' | 'time' | 'timestamp';
  readonly formats: readonly TimeFormat[];
  readonly locale: string | null;
  readonly zone: string | null;
}

/**
 * Reads text that is written in one of the formats, the first that fits; null where none does, or where what it says does not
 * exist: 31 February, 25:00, or a time that the zone's clock skipped. Of a time that came twice it is the first.
 * Dates are given as `YYYY-MM-DD`, times as `HH:MM:SS[.fraction]`, timestamps as RFC 3339 in UTC.
 */
export function formatReader({ type, formats, locale, zone }: FormatOptions): Read {
  const months = monthNames(locale ?? 'en');
  const toUtc = utcOf(zone);
  const readers = formats.map((format) => partsReader(format.tokens, months));
  const write = (parts: Parts): string | null => {
    if (type === 'time') return timeOf(parts);
    const date = dateOf(parts, months);
    if (date === null || type === 'date') return date;
    const time = timeOf(parts);
    if (time === null) return null;
    if (parts.offset === undefined) return toUtc(date, time);
    const offset = zoneMinutes(parts.offset);
    return offset === null ? null : shifted(date, time, offset * MINUTE_MS);
  };
  return (text) => {
    for (const read of readers) {
      const parts = read(text);
      const given = parts === null ? null : write(parts);
      if (given !== null) return given;
    }
    return null;
  };
}

function partsReader(
  tokens: readonly FormatToken[],
  months: ReadonlyMap<string, number>,
): (text: string) => Parts | null {
  const names = [...months.keys()].sort((a, b) => b.length - a.length).map(RegExp.escape);
  const source = tokens.map((token) => {
    if ('literal' in token) return RegExp.escape(token.literal);
    const pattern = token.part === 'monthName' ? names.join('|') : PATTERNS[token.part][token.width];
    return `(?<${token.part}>${pattern})`;
  });
  const form = new RegExp(`^${source.join('')}$`, 'iu');
  return (text) => (form.exec(text)?.groups as Parts | undefined) ?? null;
}

function dateOf(parts: Parts, months: ReadonlyMap<string, number>): string | null {
  const year2 = Number(parts.year2);
  const year = parts.year ?? String(year2 + (year2 < YEAR2_PIVOT ? 2_000 : 1_900));
  const month =
    parts.monthName === undefined ? parts.month : String(months.get(parts.monthName.toLowerCase()) ?? 0);
  return castDate(`${year}-${twoDigits(month)}-${twoDigits(parts.day)}`);
}

/** Midnight where the format has no time. */
function timeOf(parts: Parts): string | null {
  const hour = parts.hour12 === undefined ? Number(parts.hour ?? 0) : hourOf(parts.hour12, parts.meridiem);
  const minute = Number(parts.minute ?? 0);
  const second = Number(parts.second ?? 0);
  if (hour === null || hour > 23 || minute > 59 || second > 59) return null;
  const fraction = parts.fraction === undefined ? '' : `.${parts.fraction}`;
  return `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}${fraction}`;
}

/** 12 AM is midnight, 12 PM is noon. */
function hourOf(hour12: string, meridiem = ''): number | null {
  const hour = Number(hour12);
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (meridiem.toLowerCase().startsWith('p') ? 12 : 0);
}

/** Turns what the zone's clock showed into UTC, as RFC 3339; null for what it skipped. Without a zone it showed UTC. */
export function utcOf(name: string | null): (date: string, time: string) => string | null {
  const zone = name === null ? null : findZone(name);
  if (zone === null) return (date, time) => `${date}T${time}Z`;
  let day = '';
  // Null: the offset changes near that day, so each time is looked up.
  let dayOffset: number | null = null;
  return (date, time) => {
    if (date !== day) {
      const midnight = wallMs(date, '00:00:00');
      const before = zone.offsetAt(midnight - DAY_MS);
      dayOffset = before === zone.offsetAt(midnight + 2 * DAY_MS) ? before : null;
      day = date;
    }
    if (dayOffset !== null) return shifted(date, time, dayOffset);
    const wall = wallMs(date, time);
    const found = wallTime(zone, wall);
    return found.kind === 'exists' ? shifted(date, time, wall - (found.instants[0] ?? wall)) : null;
  };
}

const OWN_OFFSET = /(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;
const ISO_DATE_CHARS = 10;

/** Reads an ISO 8601 timestamp that the zone's clock showed, or that has an offset of its own. */
export function zonedTimestamp(zone: string): Read {
  const toUtc = utcOf(zone);
  return (text) => {
    const utc = castTimestamp(text);
    if (utc === null || OWN_OFFSET.test(text.slice(ISO_DATE_CHARS))) return utc;
    return toUtc(utc.slice(0, ISO_DATE_CHARS), utc.slice(ISO_DATE_CHARS + 1, -1));
  };
}

/** Long and short names, with and without their full stop, as they stand alone and in a date. */
function monthNames(locale: string): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  for (const month of ['long', 'short'] as const)
    for (const day of [undefined, 'numeric'] as const) {
      const format = new Intl.DateTimeFormat(locale, { month, day, timeZone: 'UTC', calendar: 'gregory' });
      for (let index = 0; index < MONTHS; index++) {
        const part = format.formatToParts(Date.UTC(2026, index, 15)).find(({ type }) => type === 'month');
        const name = part?.value.toLowerCase() ?? '';
        names.set(name, index + 1).set(name.replace(/\.$/, ''), index + 1);
      }
    }
  return names;
}

function twoDigits(value: string | number | undefined): string {
  return String(Number(value ?? 0)).padStart(2, '0');
}
