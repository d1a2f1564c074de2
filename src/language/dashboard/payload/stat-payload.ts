import { isRecord } from '../../../base/json.ts';
import { evaluateKey, numberOrNull, type PayloadInput, recordsOf, soleItem } from './payload-input.ts';

const SPARKLINE_POINTS_MAX = 500;

export interface StatPayload {
  readonly value: unknown;
  readonly compare: unknown;
  /** `value - compare` where both are numbers. */
  readonly delta: number | null;
  readonly sparkline: readonly (number | null)[] | null;
  /** That of the highest threshold that the value reaches. */
  readonly level: string | null;
}

/** Without `value_expr` the value is the data, or the only cell of its only row. */
export async function statPayload(input: PayloadInput): Promise<StatPayload> {
  const value =
    'value_expr' in input.config ? await evaluateKey(input, 'value_expr') : onlyCell(soleItem(input.data));
  const compare = await evaluateKey(input, 'compare_expr', { value });
  const sparkline = await evaluateKey(input, 'sparkline_expr', { value });
  const number = numberOrNull(value);
  const before = numberOrNull(compare);
  return {
    value: value ?? null,
    compare: compare ?? null,
    delta: number === null || before === null ? null : number - before,
    sparkline:
      sparkline === undefined || sparkline === null
        ? null
        : [sparkline].flat().slice(-SPARKLINE_POINTS_MAX).map(numberOrNull),
    level: number === null ? null : levelOf(number, input.config['thresholds']),
  };
}

function onlyCell(row: unknown): unknown {
  if (!isRecord(row)) return row;
  const cells = Object.values(row);
  return cells.length === 1 ? cells[0] : row;
}

function levelOf(value: number, thresholds: unknown): string | null {
  let best: { value: number; level: string } | null = null;
  for (const threshold of recordsOf(thresholds)) {
    const bound = numberOrNull(threshold['value']);
    const level = threshold['level'];
    if (bound === null || bound > value || typeof level !== 'string') continue;
    if (best === null || bound >= best.value) best = { value: bound, level };
  }
  return best?.level ?? null;
}
