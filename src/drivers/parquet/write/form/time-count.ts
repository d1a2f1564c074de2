import { wallMs } from '../../../../base/text/iso-time.ts';

const DAY_SECONDS = 86_400;
const SECOND_MICROS = 1_000_000;
const DASH = 45;
const COLON = 58;
const DOT = 46;
const SPACE = 32;
const UPPER_T = 84;
const UPPER_Z = 90;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** The number of the digits from one place to another; NaN where others are among them. */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** Days since 1970 of the date at the front of a text; NaN where there is none of the form `YYYY-MM-DD`. */
function daysOf(text: string): number {
  const [year, month, day] = [digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)];
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH || !(day >= 1)) return Number.NaN;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const monthDays = (MONTH_DAYS[month - 1] ?? 0) + (isLeap && month === 2 ? 1 : 0);
  // Years that begin in March: https://howardhinnant.github.io/date_algorithms.html#days_from_civil
  const from = month > 2 ? year : year - 1;
  const yearDay = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const days = 365 * from + Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400);
  return day <= monthDays ? days + yearDay - 719_468 : Number.NaN;
}

/** Seconds since midnight of the `HH:MM:SS` that begins at a place; NaN for anything else. */
function secondsAt(text: string, at: number): number {
  const [hours, minutes, seconds] = [
    digits(text, at, at + 2),
    digits(text, at + 3, at + 5),
    digits(text, at + 6, at + 8),
  ];
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return Number.NaN;
  return hours < 24 && minutes < 60 && seconds < 60 ? hours * 3600 + minutes * 60 + seconds : Number.NaN;
}

/** Microseconds of the fraction from one place to the end; NaN for more than six digits. */
function fractionAt(text: string, at: number, end: number): number {
  if (at === end) return 0;
  const count = end - at - 1;
  if (text.charCodeAt(at) !== DOT || count < 1 || count > 6) return Number.NaN;
  return digits(text, at + 1, end) * 10 ** (6 - count);
}

/** Microseconds since midnight of `HH:MM:SS[.ffffff]`; NaN for anything else. */
export function timeMicros(text: string): number {
  return secondsAt(text, 0) * SECOND_MICROS + fractionAt(text, 8, text.length);
}

/**
 * Microseconds since 1970 of a time as it comes most often, in UTC with `Z` or local without a zone; NaN for any other, which may still be
 * a time.
 */
export function plainMicros(text: string, isLocal: boolean): number {
  const end = isLocal ? text.length : text.length - 1;
  const separator = text.charCodeAt(10);
  if (end < 19 || (separator !== UPPER_T && separator !== SPACE)) return Number.NaN;
  if (!isLocal && text.charCodeAt(end) !== UPPER_Z) return Number.NaN;
  const seconds = daysOf(text) * DAY_SECONDS + secondsAt(text, 11);
  return seconds * SECOND_MICROS + fractionAt(text, 19, end);
}

/** Counts since 1970, of so many digits of a second, of a moment in UTC as RFC 3339 with no more digits. */
export function momentCount(text: string, digits: 6 | 9): bigint {
  const [second = '', fraction = ''] = text.slice(0, -1).split('.');
  const millis = BigInt(wallMs(second.slice(0, 10), second.slice(11)));
  return millis * 10n ** BigInt(digits - 3) + BigInt(fraction.padEnd(digits, '0'));
}

/** Days since 1970 of a date alone; NaN for anything else. */
export function dateDays(text: string): number {
  return text.length === 10 ? daysOf(text) : Number.NaN;
}
