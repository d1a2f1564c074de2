import { formatValue, momentOf } from '../kit/format-value.ts';
import { pageLocale } from '../kit/page-locale.ts';
import type { WidgetWords } from '../texts/en/widgets/widgets.ts';

export type XType = 'category' | 'time' | 'value';

export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** The CSS custom property of a palette colour, or a colour chosen by the author. */
  readonly color: string;
}

/** The validated content of a bar or line chart. */
export interface CartesianData {
  readonly kind: 'bar' | 'line';
  readonly x: readonly (string | number)[];
  readonly xType: XType;
  readonly series: readonly ChartSeries[];
  readonly stacked: boolean;
  readonly horizontal: boolean;
  readonly area: boolean;
  readonly format: string | null;
  /** Safe addresses of points, by their places; empty for none. */
  readonly links: readonly (string | null)[];
}

/** The places of values that have none beside them, which a line alone would not show. */
export function lonePlaces(values: readonly (number | null)[]): ReadonlySet<number> {
  const isThere = (at: number) => (values[at] ?? null) !== null;
  return new Set(
    values.flatMap((_, at) => (isThere(at) && !isThere(at - 1) && !isThere(at + 1) ? [at] : [])),
  );
}

/** What to draw. A new object means a redraw, so it must stay identical while nothing changes. */
export interface Drawing {
  readonly data: CartesianData;
  /** The labels of the series that the reader has hidden. */
  readonly hidden: ReadonlySet<string>;
}

/** One slice of a pie. */
export interface Slice {
  readonly label: string;
  readonly value: number;
  readonly color: string;
  readonly href: string | null;
}

export const paletteSize = 8;
/** Ten months: an axis this long usually contains a new year. */
const yearShownFromMs = 26_000_000_000;
const isoDate = /^\d{4}-\d{2}(-\d{2})?([T ]\d{2}:\d{2}.*)?$/;
const hexColor = /^#([\da-f]{3}|[\da-f]{6})$/i;

/** The CSS custom property of a palette colour. */
export function paletteColor(index: number): string {
  return `--chart-${(index % paletteSize) + 1}`;
}

/** The author's colour if it is a valid hex colour, otherwise the palette's. */
export function seriesColor(configured: unknown, index: number): string {
  return typeof configured === 'string' && hexColor.test(configured) ? configured : paletteColor(index);
}

/** The type of the x axis: as configured, otherwise time if every value is a date, otherwise category. */
export function xTypeOf(configured: unknown, x: readonly unknown[]): XType {
  if (configured === 'time' || configured === 'value' || configured === 'category') return configured;
  return x.length > 1 && x.every((at) => typeof at === 'string' && isoDate.test(at)) ? 'time' : 'category';
}

/** Whether all values are days (or months) without a time, which are the same in every zone. */
export function isDaysOnly(x: readonly unknown[]): boolean {
  return x.every((at) => typeof at === 'string' && at.length <= 10);
}

/**
 * The axis label of a moment: the year at the start of a year, the month at the start of a month, the day at the start of a day,
 * otherwise the time.
 */
export function formatAxisMoment(at: number, spanMs: number, utc: boolean): string {
  const moment = new Date(at);
  const [month, day, minutes] = utc
    ? [moment.getUTCMonth(), moment.getUTCDate(), moment.getUTCHours() * 60 + moment.getUTCMinutes()]
    : [moment.getMonth(), moment.getDate(), moment.getHours() * 60 + moment.getMinutes()];
  const parts: Intl.DateTimeFormatOptions =
    minutes !== 0
      ? { hour: '2-digit', minute: '2-digit' }
      : day !== 1
        ? { month: 'short', day: 'numeric' }
        : month === 0 && spanMs > yearShownFromMs
          ? { year: 'numeric' }
          : { month: 'short' };
  return new Intl.DateTimeFormat(pageLocale(), { ...parts, ...(utc && { timeZone: 'UTC' }) }).format(at);
}

/** The axis label of a number: short, in the chart's format. */
export function formatAxisNumber(value: number, format: string | null): string {
  const [name = null] = format?.split('/') ?? [];
  if (name?.startsWith('currency:')) {
    const currency = name.slice('currency:'.length);
    try {
      return new Intl.NumberFormat(pageLocale(), {
        style: 'currency',
        currency,
        notation: 'compact',
        maximumFractionDigits: 1,
      }).format(value);
    } catch {
      return formatValue(value, 'compact');
    }
  }
  if (name === null || name === '' || name === 'number' || name === 'integer') {
    return formatValue(value, Math.abs(value) >= 10_000 ? 'compact' : 'number');
  }
  return formatValue(value, name);
}

/** An x value in full, for tooltips and tables. */
export function formatX(x: string | number, xType: XType): string {
  if (xType === 'value') return formatValue(x, 'number');
  if (xType === 'category') return String(x);
  if (momentOf(x) === null) return String(x);
  return formatValue(x, typeof x === 'string' && x.length <= 10 ? 'date' : 'datetime');
}

/** The chart in one sentence, for screen readers. */
export function summarize(data: CartesianData, { chart: words }: WidgetWords): string {
  const kind = data.kind === 'bar' ? words.bar : words.line;
  const first = data.x[0];
  const last = data.x.at(-1);
  if (first === undefined || last === undefined) return kind;
  const range = words.range(data.x.length, formatX(first, data.xType), formatX(last, data.xType));
  const series = data.series.map(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return words.noValues(label);
    const low = formatValue(Math.min(...known), data.format);
    const high = formatValue(Math.max(...known), data.format);
    return words.values(label, low, high, formatValue(known.at(-1), data.format));
  });
  return `${kind}, ${range}. ${series.join('. ')}.`;
}

/** Bars are drawn on a category axis even for dates: a bar has a width, a point in time has none. */
export function isCategory(data: CartesianData): boolean {
  return data.xType === 'category' || data.kind === 'bar';
}

/** The index of the point nearest to a value of the axis; null if there is none. */
export function placeNear(data: CartesianData, value: number): number | null {
  if (data.x.length === 0 || Number.isNaN(value)) return null;
  let nearest = 0;
  for (let at = 1; at < data.x.length; at += 1) {
    if (Math.abs(placeValue(data, at) - value) < Math.abs(placeValue(data, nearest) - value)) nearest = at;
  }
  return nearest;
}

/** The position of a point on its axis: its index, its number, or milliseconds since 1970. */
export function placeValue(data: CartesianData, at: number): number {
  if (isCategory(data)) return at;
  return data.xType === 'time' ? Date.parse(String(data.x[at])) : Number(data.x[at]);
}
