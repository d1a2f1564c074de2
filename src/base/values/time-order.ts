/** What a text tells: a day or a moment, or the time of a day. */
export type TimeKind = 'moment' | 'clock';

const MOMENT =
  /^([+-]?\d{4,})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\s*(Z|[+-]\d\d(?::?\d\d){0,2})?(\s*BC)?$/i;
const CLOCK = /^(-?)(\d{2,3}):(\d\d)(?::(\d\d)(?:\.(\d+))?)?\s*(Z|[+-]\d\d(?::?\d\d){0,2})?$/i;
const DAY_SECONDS = 86_400;
/** Days from 1 March of the year 0 to 1 January 1970, and in 400 years. */
const EPOCH_DAYS = 719_468;
const ERA_DAYS = 146_097;

interface Point {
  /** Whole seconds, rounded down. */
  readonly seconds: number;
  /** Digits of the fraction, without zeros at the end. */
  readonly fraction: string;
}

/**
 * -1, 0 or 1 for two times, whatever their offsets and fractions; null where one of the texts is none. A time without an offset is one
 * of UTC, a day is its midnight, and `infinity` comes after all others.
 */
export function compareTimeTexts(a: string, b: string, kind: TimeKind): number | null {
  const [left, right] = kind === 'moment' ? [momentOf(a), momentOf(b)] : [clockOf(a), clockOf(b)];
  if (left === null || right === null) return null;
  if (left.seconds !== right.seconds) return left.seconds < right.seconds ? -1 : 1;
  return left.fraction < right.fraction ? -1 : left.fraction > right.fraction ? 1 : 0;
}

/** One text for each time, however it is written; null for what is none. */
export function timeKey(text: string, kind: TimeKind): string | null {
  const point = kind === 'moment' ? momentOf(text) : clockOf(text);
  return point === null ? null : `${point.seconds}.${point.fraction}`;
}

function momentOf(text: string): Point | null {
  if (text === 'infinity') return { seconds: Infinity, fraction: '' };
  if (text === '-infinity') return { seconds: -Infinity, fraction: '' };
  const match = MOMENT.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset = '', bc] = match;
  const days = daysOf(bc === undefined ? Number(year) : 1 - Number(year), Number(month), Number(day));
  if (days === null) return null;
  const clock = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  return { seconds: days * DAY_SECONDS + clock - offsetOf(offset), fraction: fraction.replace(/0+$/, '') };
}

/** Since 1970; null for a month or day that no year has. */
function daysOf(year: number, month: number, day: number): number | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  // Years that begin in March have their odd day at the end.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * ERA_DAYS + dayOfEra - EPOCH_DAYS;
}

function clockOf(text: string): Point | null {
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, sign, hour, minute, second = '0', fraction = '', offset = ''] = match;
  const whole = Number(hour) * 3_600 + Number(minute) * 60 + Number(second);
  const digits = fraction.replace(/0+$/, '');
  if (sign === '') return { seconds: whole - offsetOf(offset), fraction: digits };
  // Rounded down, -1.25 is -2 and .75.
  const rest = digits === '' ? '' : String(10n ** BigInt(digits.length) - BigInt(digits));
  return { seconds: -whole - (digits === '' ? 0 : 1), fraction: rest.padStart(digits.length, '0') };
}

/** Seconds east of UTC. */
function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^([+-])(\d\d):?(\d\d)?:?(\d\d)?$/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds));
}
