import { isRecord } from '../../../base/json.ts';
import {
  evaluateKey,
  fieldOf,
  itemsOf,
  numberOrNull,
  type PayloadInput,
  textOrNull,
} from './payload-input.ts';

export interface PieChartPayload {
  readonly slices: readonly { readonly label: string; readonly value: number }[];
}

/** Without expressions the first column is the label and the second the value. Slices beyond `other_after` are one, `Other`. */
export async function pieChartPayload(input: PayloadInput): Promise<PieChartPayload> {
  const items = await itemsOf(input);
  const [labelColumn = '', valueColumn = ''] = Object.keys(items.find(isRecord) ?? {});
  const slices: { label: string; value: number }[] = [];
  for (const [index, item] of items.entries()) {
    const label =
      'label_expr' in input.config
        ? await evaluateKey(input, 'label_expr', { item, index })
        : fieldOf(item, labelColumn);
    const value =
      'value_expr' in input.config
        ? await evaluateKey(input, 'value_expr', { item, index })
        : fieldOf(item, valueColumn);
    slices.push({ label: textOrNull(label) ?? '', value: numberOrNull(value) ?? 0 });
  }
  const after = input.config['other_after'];
  if (typeof after !== 'number' || slices.length <= after) return { slices };
  const sorted = slices.sort((a, b) => b.value - a.value);
  const rest = sorted.slice(after).reduce((sum, slice) => sum + slice.value, 0);
  return { slices: [...sorted.slice(0, after), { label: 'Other', value: rest }] };
}
