import { isRecord } from '../../../../base/json.ts';
import { listOf, map } from '../../../declare/map.ts';
import { shown } from '../../../declare/value.ts';
import { flag, oneOf, text } from '../../../declare/values.ts';
import { safeHrefOf } from '../../safe-href.ts';
import {
  evaluateKey,
  fieldOf,
  itemsOf,
  numberOrNull,
  type PayloadInput,
  recordsOf,
  textOrNull,
} from '../payload-input.ts';
import { DRAWN_CHART } from '../widget-fit.ts';
import { widgetKind } from '../widget-kind.ts';
import { decimals, format, ITEMS_MAX, items_expr, overItem } from '../widget-values.ts';

const SERIES_MAX = 50;

interface ChartPayload {
  readonly x: readonly (string | number | null)[];
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
  /** Where there is `href_expr`: a safe address, or null, for each x. */
  readonly links?: readonly (string | null)[];
}

const SERIES = map('A series.', {
  label: shown(text('The name in the legend. Default: Series 1, Series 2 and so on.')),
  value_expr: overItem('The value of an `item`.', { required: true }),
  color: shown(
    text('A colour such as "#2563eb" or blue. Default: the next one of the palette.', {
      pattern: '^(?:#[0-9A-Fa-f]{3}|#[0-9A-Fa-f]{6}|[A-Za-z]{2,20})$',
      problem: (given, key) => `"${key}" must be a colour such as "#2563eb" or "blue", not "${given}"`,
    }),
  ),
});

/** The keys that bar and line charts share. */
const SERIES_KEYS = {
  items_expr,
  x_expr: overItem('The x value of an `item`. Default: its first column.'),
  href_expr: overItem('The link target of an `item`’s point.'),
  series: listOf('The series to draw. Default: one for each column of numbers.', SERIES, { max: ITEMS_MAX }),
  stacked: shown(flag('Whether the series are stacked.')),
  format,
  decimals,
  x_type: shown(oneOf('The type of the x values. Default: detected.', ['category', 'time', 'number'])),
};

export const barChartWidget = widgetKind({
  type: 'bar_chart',
  words: 'Bars over a list of records.',
  width: 6,
  bound: true,
  keys: { ...SERIES_KEYS, horizontal: shown(flag('Whether the bars are horizontal.')) },
  rules: [DRAWN_CHART],
  payload: chartPayload,
});

export const lineChartWidget = widgetKind({
  type: 'line_chart',
  words: 'Lines or areas over a list of records.',
  width: 6,
  bound: true,
  keys: { ...SERIES_KEYS, area: shown(flag('Whether the area below each line is filled.')) },
  rules: [DRAWN_CHART],
  payload: chartPayload,
});

/**
 * The payload of bar and line charts. Without `x_expr` the x is the first column of the rows; without `series` every other
 * column that holds numbers is one.
 */
async function chartPayload(input: PayloadInput): Promise<ChartPayload> {
  const items = await itemsOf(input);
  const columns = Object.keys(items.find(isRecord) ?? {});
  const xColumn = 'x_expr' in input.config ? null : (columns[0] ?? null);
  const x: (string | number | null)[] = [];
  for (const [index, item] of items.entries()) {
    const value =
      xColumn === null ? await evaluateKey(input, 'x_expr', { item, index }) : fieldOf(item, xColumn);
    x.push(typeof value === 'number' ? value : textOrNull(value));
  }
  const links = await linksOf(input, items);
  const declared = recordsOf(input.config['series']);
  if (declared.length === 0) {
    const numeric = columns.filter(
      (name) => name !== xColumn && items.some((item) => numberOrNull(fieldOf(item, name)) !== null),
    );
    return {
      ...links,
      x,
      series: numeric
        .slice(0, SERIES_MAX)
        .map((label) => ({ label, values: items.map((item) => numberOrNull(fieldOf(item, label))) })),
    };
  }
  const series = [];
  for (const [place, one] of declared.slice(0, SERIES_MAX).entries()) {
    const values: (number | null)[] = [];
    for (const [index, item] of items.entries()) {
      values.push(numberOrNull(await evaluateKey(input, 'value_expr', { item, index }, one)));
    }
    series.push({ label: textOrNull(one['label']) ?? `Series ${place + 1}`, values });
  }
  return { ...links, x, series };
}

async function linksOf(input: PayloadInput, items: readonly unknown[]): Promise<Pick<ChartPayload, 'links'>> {
  if (!('href_expr' in input.config)) return {};
  const links: (string | null)[] = [];
  for (const [index, item] of items.entries()) {
    links.push(safeHrefOf(await evaluateKey(input, 'href_expr', { item, index })));
  }
  return { links };
}
