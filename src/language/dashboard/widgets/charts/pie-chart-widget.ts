import { isRecord } from '../../../../base/json.ts';
import { shown } from '../../../declare/value.ts';
import { flag, integer } from '../../../declare/values.ts';
import { safeHrefOf } from '../../safe-href.ts';
import {
  evaluateKey,
  fieldOf,
  itemsOf,
  numberOrNull,
  type PayloadInput,
  textOrNull,
} from '../payload-input.ts';
import { DRAWN_CHART } from '../widget-fit.ts';
import { widgetKind } from '../widget-kind.ts';
import { decimals, format, items_expr, overItem } from '../widget-values.ts';

interface PieChartPayload {
  readonly slices: readonly Slice[];
}

interface Slice {
  readonly label: string;
  readonly value: number;
  /** Where there is `href_expr`: the first safe address among the items of the slice. */
  readonly href?: string;
}

export const pieChartWidget = widgetKind({
  type: 'pie_chart',
  words: 'Shares of a whole.',
  width: 4,
  bound: true,
  keys: {
    items_expr,
    label_expr: overItem('The label of an `item`. Default: its first column.'),
    value_expr: overItem('The value of an `item`. Default: its second column.'),
    href_expr: overItem('The link target of an `item`’s slice.'),
    donut: shown(flag('Whether to draw a donut.')),
    other_after: shown(
      integer('Maximum slices shown; the smallest are combined as Other.', {
        min: 1,
        max: 100,
        absent: 'all',
      }),
    ),
    format,
    decimals,
  },
  rules: [DRAWN_CHART],
  payload: pieChartPayload,
});

/**
 * Without expressions the first column is the label and the second the value. Items of one label are one slice; slices beyond
 * `other_after` are one, `Other`.
 */
async function pieChartPayload(input: PayloadInput): Promise<PieChartPayload> {
  const items = await itemsOf(input);
  const [labelColumn = '', valueColumn = ''] = Object.keys(items.find(isRecord) ?? {});
  const sums = new Map<string, Slice>();
  for (const [index, item] of items.entries()) {
    const label =
      'label_expr' in input.config
        ? await evaluateKey(input, 'label_expr', { item, index })
        : fieldOf(item, labelColumn);
    const value =
      'value_expr' in input.config
        ? await evaluateKey(input, 'value_expr', { item, index })
        : fieldOf(item, valueColumn);
    const name = textOrNull(label) ?? '';
    const known = sums.get(name);
    const href = known?.href ?? safeHrefOf(await evaluateKey(input, 'href_expr', { item, index }));
    const sum = (known?.value ?? 0) + (numberOrNull(value) ?? 0);
    sums.set(name, { label: name, value: sum, ...(href !== null && { href }) });
  }
  const slices = [...sums.values()];
  const after = input.config['other_after'];
  if (typeof after !== 'number' || slices.length <= after) return { slices };
  const sorted = slices.sort((a, b) => b.value - a.value);
  const rest = sorted.slice(after).reduce((sum, slice) => sum + slice.value, 0);
  return { slices: [...sorted.slice(0, after), { label: 'Other', value: rest }] };
}
