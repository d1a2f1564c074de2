const FRACTION = /^\.\d{1,9}/;
const ZONE = /^(?:[Zz]|([+-])(\d{2}):?(\d{2})?)$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const MINUTE_MS = 60_000;

const DASH = 45;
const COLON = 58;
const DOT = 46;
const SPACE = 32;
const UPPER_T = 84;
const LOWER_T = 116;
const UPPER_Z = 90;

// Character codes instead of patterns: these run for every value of a column, and are five times as fast so.

/** `YYYY-MM-DD` from a date or from the front of a timestamp, as written; null where the text is neither. */
export function castDate(text: string): string | null {
  if (!startsWithDate(text)) return null;
  if (text.length === 10) return text;
  return castTimestamp(text) === null ? null : text.slice(0, 10);
}

/** `HH:MM:SS[.fraction]`, or null. */
export function castTime(text: string): string | null {
  const end = timeEnd(text, 0);
  if (end === -1 || end !== text.length) return null;
  return end === 5 ? `${text}:00` : text;
}

/** RFC 3339 in UTC, or null. Text that is so already (`2001-01-14T21:55:00Z`) comes back as it is. */
export function castTimestamp(text: string): string | null {
  if (!startsWithDate(text)) return null;
  if (text.length === 10) return `${text}T00:00:00Z`;
  const separator = text.charCodeAt(10);
  if (separator !== UPPER_T && separator !== SPACE && separator !== LOWER_T) return null;
  const end = timeEnd(text, 11);
  if (end === -1) return null;
  const exact = separator === UPPER_T && end > 16;
  if (exact && text.length === end + 1 && text.charCodeAt(end) === UPPER_Z) return text;
  const zone = text.slice(end).trimStart();
  const offset = zone === '' ? 0 : zoneMinutes(zone);
  if (offset === null) return null;
  const date = text.slice(0, 10);
  const time = end === 16 ? `${text.slice(11, 16)}:00` : text.slice(11, end);
  return offset === 0 ? `${date}T${time}Z` : shifted(date, time, offset * MINUTE_MS);
}

/** Milliseconds of a date and a time, to the second, as if they were of UTC. */
export function wallMs(date: string, time: string): number {
  return Date.parse(`${date}T${time.slice(0, 8)}Z`);
}

/** RFC 3339 in UTC of a time `offsetMs` east of it, with its fraction as written; null beyond the years 0 to 9999. */
export function shifted(date: string, time: string, offsetMs: number): string | null {
  const utc = new Date(wallMs(date, time) - offsetMs);
  if (utc.getUTCFullYear() < 0 || utc.getUTCFullYear() > 9999) return null;
  return `${utc.toISOString().slice(0, 19)}${time.slice(8)}Z`;
}

/** Minutes east of UTC, or null where the text is no zone. */
export function zoneMinutes(text: string): number | null {
  const match = ZONE.exec(text);
  if (match === null) return null;
  if (match[1] === undefined) return 0;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? '0');
  if (hours > 23 || minutes > 59) return null;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** The two digits at `at`, or -1. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  // Beyond the end of the text both are NaN, and no comparison holds.
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1;
}

function startsWithDate(text: string): boolean {
  const century = twoDigits(text, 0);
  const year = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (century === -1 || year === -1 || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH)
    return false;
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year === 0 ? century % 4 === 0 : year % 4 === 0;
  return day <= (MONTH_DAYS[month - 1] ?? 0) + (leap && month === 2 ? 1 : 0);
}

/** Where the `HH:MM[:SS[.fraction]]` that begins at `at` ends, or -1 where there is none. */
function timeEnd(text: string, at: number): number {
  const hours = twoDigits(text, at);
  const minutes = twoDigits(text, at + 3);
  if (hours === -1 || hours > 23 || text.charCodeAt(at + 2) !== COLON || minutes === -1 || minutes > 59)
    return -1;
  if (text.charCodeAt(at + 5) !== COLON) return at + 5;
  const seconds = twoDigits(text, at + 6);
  if (seconds === -1 || seconds > 59) return -1;
  if (text.charCodeAt(at + 8) !== DOT) return at + 8;
  return at + 8 + (FRACTION.exec(text.slice(at + 8))?.[0].length ?? 0);
}
