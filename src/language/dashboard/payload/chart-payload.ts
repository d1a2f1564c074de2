import { isRecord } from '../../../base/json.ts';
import {
  evaluateKey,
  fieldOf,
  itemsOf,
  numberOrNull,
  type PayloadInput,
  recordsOf,
  textOrNull,
} from './payload-input.ts';

const SERIES_MAX = 50;

export interface ChartPayload {
  readonly x: readonly (string | number | null)[];
  readonly series: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
}

/**
 * The payload of bar and line charts. Without `x_expr` the x is the first column of the rows; without `series` every other
 * column that holds numbers is one.
 */
export async function chartPayload(input: PayloadInput): Promise<ChartPayload> {
  const items = await itemsOf(input);
  const columns = Object.keys(items.find(isRecord) ?? {});
  const xColumn = 'x_expr' in input.config ? null : (columns[0] ?? null);
  const x: (string | number | null)[] = [];
  for (const [index, item] of items.entries()) {
    const value =
      xColumn === null ? await evaluateKey(input, 'x_expr', { item, index }) : fieldOf(item, xColumn);
    x.push(typeof value === 'number' ? value : textOrNull(value));
  }
  const declared = recordsOf(input.config['series']);
  if (declared.length === 0) {
    const numeric = columns.filter(
      (name) => name !== xColumn && items.some((item) => numberOrNull(fieldOf(item, name)) !== null),
    );
    return {
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
  return { x, series };
}
