const DAY_MS = 86_400_000;
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

function two(number: number): string {
  return TWO[number] ?? String(number);
}

/** Days after which dates come again, with other years. */
const ERA_DAYS = 146_097;
const ERA_YEARS = 400;

/** RFC 3339 has years of four digits; others get the extended form of ISO 8601, also beyond what a `Date` holds. */
function farDayText(days: number): string {
  const eras = Math.floor(days / ERA_DAYS);
  const near = new Date((days - eras * ERA_DAYS) * DAY_MS);
  const year = near.getUTCFullYear() + eras * ERA_YEARS;
  const digits = String(Math.abs(year)).padStart(6, '0');
  return `${year < 0 ? '-' : '+'}${digits}${near.toISOString().slice('YYYY'.length, 'YYYY-MM-DD'.length)}`;
}

/** The text of a day, counted from 1970-01-01; the last one is remembered, for times come in runs of a day. */
export function createDayText(): (days: number) => string {
  let lastDays = Number.NaN;
  let lastText = '';
  return (days) => {
    if (days === lastDays) return lastText;
    const date = new Date(days * DAY_MS);
    lastText = Number.isNaN(date.getTime()) ? farDayText(days) : date.toISOString().replace(/T.*$/, '');
    lastDays = days;
    return lastText;
  };
}

function clockText(seconds: number, fraction: string): string {
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return fraction === '' ? text : `${text}.${fraction}`;
}

/** Digits behind the point without zeros at the end; empty for none. */
function fractionText(part: number, digits: number): string {
  return part === 0 ? '' : String(part).padStart(digits, '0').replace(/0+$/, '');
}

export type TimeUnit = 'MILLIS' | 'MICROS' | 'NANOS';
const PER_SECOND: Readonly<Record<TimeUnit, number>> = {
  MILLIS: 1_000,
  MICROS: 1_000_000,
  NANOS: 1_000_000_000,
};
const DIGITS: Readonly<Record<TimeUnit, number>> = { MILLIS: 3, MICROS: 6, NANOS: 9 };

/** RFC 3339 text of a count since 1970; with `Z` when it is an instant, without a zone when it is a local time. */
export function createTimestampText(unit: TimeUnit, suffix: '' | 'Z'): (count: bigint | number) => string {
  const perSecond = PER_SECOND[unit];
  const digits = DIGITS[unit];
  const big = BigInt(perSecond);
  const dayText = createDayText();
  return (count) => {
    let seconds: number;
    let part: number;
    const near = Number(count);
    if (Number.isSafeInteger(near)) {
      seconds = Math.floor(near / perSecond);
      part = near - seconds * perSecond;
    } else {
      const exact = BigInt(count);
      const rest = ((exact % big) + big) % big;
      seconds = Number((exact - rest) / big);
      part = Number(rest);
    }
    const days = Math.floor(seconds / 86_400);
    return `${dayText(days)}T${clockText(seconds - days * 86_400, fractionText(part, digits))}${suffix}`;
  };
}

/** `HH:MM:SS[.fraction]` of a count since midnight. */
export function createTimeText(unit: TimeUnit): (count: bigint | number) => string {
  const perSecond = PER_SECOND[unit];
  return (count) => {
    const near = Number(count);
    const seconds = Math.floor(near / perSecond);
    return clockText(seconds, fractionText(near - seconds * perSecond, DIGITS[unit]));
  };
}
