import { answers } from '../texts/answers.ts';
import { pageLocale } from './page-locale.ts';

/** How dates and times are written. */
const dateParts: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
const timeParts: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit' };
const byteUnits = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;
const dayOnly = /^\d{4}-\d{2}-\d{2}$/;

/** Shown for an absent value. */
export const noValue = '–';

export interface FormatOptions {
  /** BCP 47 locale; by default the browser's. */
  readonly locale?: string | undefined;
  /** Milliseconds since 1970, for `relative`. */
  readonly now?: number;
  /** For `relative`: `2 min. ago`. */
  readonly short?: boolean;
}

/**
 * Formats a value in one of the dashboard formats: number, integer, compact, currency:<ISO 4217>, percent (a ratio:
 * 0.5 is 50 %), bytes, duration (seconds), date, datetime, relative, text; a slash and the number of decimals may follow,
 * as in `percent/1`. A value that does not fit its format is shown unchanged; absent values are a dash.
 */
export function formatValue(value: unknown, written?: string | null, options: FormatOptions = {}): string {
  const [format, decimals] = written?.split('/', 2) ?? [];
  if (value === null || value === undefined || value === '') return noValue;
  if (format === 'date' || format === 'datetime') return formatMoment(value, format, options.locale);
  if (format === 'relative') return formatRelative(value, options);
  if (format === 'text') return typeof value === 'number' ? String(value) : asText(value, options.locale);
  if (typeof value !== 'number' && (typeof value !== 'string' || !format))
    return asText(value, options.locale);
  if (!Number.isFinite(Number(value))) return typeof value === 'string' ? value : noValue;
  const digits = decimals === undefined ? undefined : Number(decimals);
  return formatNumber(value, format || 'number', options.locale, digits);
}

/** `value`: also the text of a number, of which every digit is shown. `digits`: exactly so many decimals; otherwise the format decides. */
function formatNumber(
  value: number | string,
  format: string,
  locale: string | undefined,
  digits?: number,
): string {
  const upTo = (most: number) =>
    digits === undefined
      ? { maximumFractionDigits: most }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const [name, currency] = format.split(':', 2);
  switch (name) {
    case 'integer':
      return writeNumber(value, locale, upTo(0));
    case 'compact':
      return writeNumber(value, locale, { notation: 'compact', ...upTo(1) });
    case 'currency':
      return formatCurrency(value, currency ?? '', locale, digits);
    case 'percent':
      return writeNumber(value, locale, { style: 'percent', ...upTo(1) });
    case 'bytes':
      return formatBytes(Number(value), locale);
    case 'duration':
      return formatDuration(Number(value), locale);
    default:
      return writeNumber(value, locale, upTo(Math.abs(Number(value)) < 1 ? 4 : 2));
  }
}

function formatCurrency(
  value: number | string,
  currency: string,
  locale: string | undefined,
  digits: number | undefined,
): string {
  const decimals =
    digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  try {
    return writeNumber(value, locale, { style: 'currency', currency, ...decimals });
  } catch {
    return `${writeNumber(value, locale, { maximumFractionDigits: 2 })} ${currency}`.trim();
  }
}

function formatBytes(value: number, locale: string | undefined): string {
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 999.5 && unit < byteUnits.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const digits = unit === 0 || Math.abs(size) >= 100 ? 0 : 1;
  return `${writeNumber(size, locale, { maximumFractionDigits: digits })} ${byteUnits[unit]}`;
}

/** Seconds as the two largest units that matter: `340 ms`, `12.3 s`, `4 m 05 s`, `2 h 10 m`, `3 d 4 h`. */
export function formatDuration(seconds: number, locale?: string): string {
  const sign = seconds < 0 ? '-' : '';
  const size = Math.abs(seconds);
  if (size === 0) return '0 s';
  if (size < 0.9995) return `${sign}${Math.max(1, Math.round(size * 1000))} ms`;
  if (size < 59.95) return `${sign}${writeNumber(size, locale, { maximumFractionDigits: 1 })} s`;
  const whole = Math.round(size);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${sign}${minutes} m ${String(whole % 60).padStart(2, '0')} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${sign}${hours} h ${String(minutes % 60).padStart(2, '0')} m`;
  return `${sign}${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A date without a time is the same day in every zone; everything else is shown in the viewer's zone. */
function formatMoment(value: unknown, format: 'date' | 'datetime', locale: string | undefined): string {
  const at = momentOf(value);
  if (at === null) return asText(value, locale);
  const zone = typeof value === 'string' && dayOnly.test(value) ? { timeZone: 'UTC' } : {};
  const parts = format === 'date' || 'timeZone' in zone ? dateParts : { ...dateParts, ...timeParts };
  return new Intl.DateTimeFormat(locale ?? pageLocale(), { ...parts, ...zone }).format(at);
}

const relativeUnits: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

function formatRelative(value: unknown, options: FormatOptions): string {
  const at = momentOf(value);
  if (at === null) return asText(value, options.locale);
  const seconds = Math.round((at - (options.now ?? Date.now())) / 1000);
  const [unit, size] = relativeUnits.find(([, unitSize]) => Math.abs(seconds) >= unitSize) ?? ['second', 1];
  const words = new Intl.RelativeTimeFormat(options.locale ?? pageLocale(), {
    numeric: 'auto',
    style: options.short ? 'short' : 'long',
  });
  return words.format(Math.trunc(seconds / size), unit);
}

/** Milliseconds since 1970 of an ISO 8601 string or a number of milliseconds; null for anything else. */
export function momentOf(value: unknown): number | null {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Math.abs(at) <= 8.64e15 ? at : null;
}

function asText(value: unknown, locale: string | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value, 'number', locale);
  if (typeof value === 'boolean') return yesOrNo(value, locale ?? pageLocale());
  return JSON.stringify(value) ?? noValue;
}

/** In the languages of the page; English in any other. */
function yesOrNo(value: boolean, locale = navigator.language): string {
  const [yes, no] = locale.split('-')[0] === 'de' ? answers.de : answers.en;
  return value ? yes : no;
}

/** The text of a number is written with all its digits; what rounds to zero has no sign. */
function writeNumber(
  value: number | string,
  locale: string | undefined,
  options: Intl.NumberFormatOptions,
): string {
  const format = new Intl.NumberFormat(locale ?? pageLocale(), { signDisplay: 'negative', ...options });
  return format.format(value as number | Intl.StringNumericLiteral);
}
