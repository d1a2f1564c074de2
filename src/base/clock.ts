/** Time as an argument, so that tests can set it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The first of the year 10000, which RFC 3339 has no form for. */
const FOUR_DIGITS_END_MS = 253_402_300_800_000;
const TWO_DIGITS = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, n) => String(n).padStart(3, '0'));

/** RFC 3339 in UTC with milliseconds, the API's only form of a time. A page of records has many: `Date` takes three times as long. */
export function timestamp(ms: number): string {
  if (!(ms >= 0 && ms < FOUR_DIGITS_END_MS)) return new Date(ms).toISOString();
  const whole = Math.floor(ms);
  const days = Math.floor(whole / DAY_MS);
  const ofDay = whole - days * DAY_MS;
  const time = `${TWO_DIGITS[Math.floor(ofDay / HOUR_MS)]}:${TWO_DIGITS[Math.floor(ofDay / MINUTE_MS) % 60]}`;
  const seconds = `${TWO_DIGITS[Math.floor(ofDay / SECOND_MS) % 60]}.${THREE_DIGITS[ofDay % SECOND_MS]}`;
  return `${dateOf(days)}T${time}:${seconds}Z`;
}

const ERA_DAYS = 146_097;
/** From 1 March 0000, when years begin that end with their leap day, to 1970. */
const DAYS_TO_1970 = 719_468;

/** Source: https://howardhinnant.github.io/date_algorithms.html#civil_from_days. */
function dateOf(daysSince1970: number): string {
  const days = daysSince1970 + DAYS_TO_1970;
  const era = Math.floor(days / ERA_DAYS);
  const ofEra = days - era * ERA_DAYS;
  const leaps = Math.floor(ofEra / 1_460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const year = Math.floor((ofEra - leaps) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  const month = Math.floor((5 * ofYear + 2) / 153);
  const day = ofYear - Math.floor((153 * month + 2) / 5) + 1;
  const isNextYear = month >= 10;
  const named = `${era * 400 + year + (isNextYear ? 1 : 0)}-${TWO_DIGITS[isNextYear ? month - 9 : month + 3]}`;
  return `${named}-${TWO_DIGITS[day]}`;
}

export function timestampOrNull(ms: number | null): string | null {
  return ms === null ? null : timestamp(ms);
}

/** The time between two moments; null where one is missing, and where the clock was set back meanwhile, so that nobody knows. */
export function spanMs(from: number | null, to: number | null): number | null {
  return from === null || to === null || to < from ? null : to - from;
}

/** Waits `ms`, or less when `signal` aborts; never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
