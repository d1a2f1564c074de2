import { evaluateKey, fieldOf, numberOrNull, type PayloadInput, soleItem } from '../payload-input.ts';
import { widgetKind } from '../widget-kind.ts';
import { decimals, format, overData } from '../widget-values.ts';

interface ProgressPayload {
  readonly current: number | null;
  readonly total: number | null;
  /** 0 to 1; null where there is no total. */
  readonly ratio: number | null;
}

export const progressWidget = widgetKind({
  type: 'progress',
  words: 'A progress bar. Without expressions, it shows `current` and `total` of the data.',
  width: 4,
  bound: true,
  keys: {
    current_expr: overData('The amount done.'),
    total_expr: overData('The total amount.'),
    format,
    decimals,
  },
  payload: progressPayload,
});

/** Without expressions: `current` and `total` of the data, or of its only row. */
async function progressPayload(input: PayloadInput): Promise<ProgressPayload> {
  const read = async (key: 'current' | 'total') =>
    numberOrNull(
      `${key}_expr` in input.config
        ? await evaluateKey(input, `${key}_expr`)
        : fieldOf(soleItem(input.data), key),
    );
  const current = await read('current');
  const total = await read('total');
  const known = current !== null && total !== null && total > 0;
  return { current, total, ratio: known ? Math.min(1, Math.max(0, current / total)) : null };
}
