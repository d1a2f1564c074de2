import { isRecord } from '../../../../base/json.ts';
import { expression } from '../../../declare/expressions.ts';
import { listOf, map } from '../../../declare/map.ts';
import { onlyBeside } from '../../../declare/rules.ts';
import { shown } from '../../../declare/value.ts';
import { number, oneOf, text } from '../../../declare/values.ts';
import { VALUE_NAMES } from '../../../yaml/scope-names.ts';
import { safeHrefOf } from '../../safe-href.ts';
import { evaluateKey, numberOrNull, type PayloadInput, recordsOf, soleItem } from '../payload-input.ts';
import { widgetKind } from '../widget-kind.ts';
import { decimals, format, ITEMS_MAX, LEVELS, overData } from '../widget-values.ts';

const SPARKLINE_POINTS_MAX = 500;

interface StatPayload {
  readonly value: unknown;
  readonly compare: unknown;
  /** `value - compare` where both are numbers. */
  readonly delta: number | null;
  readonly sparkline: readonly (number | null)[] | null;
  /** That of the highest threshold that the value reaches. */
  readonly level: string | null;
  /** Where it has `href_expr`: a safe address, or null. */
  readonly href?: string | null;
}

const THRESHOLD = map('A threshold.', {
  value: shown(number('The lowest value of the level.', { required: true })),
  level: shown(oneOf('The level.', LEVELS, { required: true })),
});

export const statWidget = widgetKind({
  type: 'stat',
  words: 'One number, optionally compared with an earlier one. Without `value_expr`, the data itself.',
  width: 3,
  bound: true,
  keys: {
    value_expr: overData('The number.'),
    format,
    decimals,
    unit: shown(text('Text after the number.')),
    compare_expr: expression(
      'The number to compare with, such as last month’s; may use the number as `value`.',
      VALUE_NAMES,
    ),
    trend: shown(
      oneOf('Which direction is good: an increase or a decrease. Default: neither.', [
        'up_is_good',
        'down_is_good',
      ]),
    ),
    sparkline_expr: expression('The numbers of a sparkline, as a list; may use `value`.', VALUE_NAMES),
    href_expr: expression(
      'The link target of the number; may use it as `value`. Another dashboard accepts filters as `?filter.<id>=`.',
      VALUE_NAMES,
    ),
    thresholds: listOf('Levels that colour the number; the highest one reached applies.', THRESHOLD, {
      max: ITEMS_MAX,
    }),
  },
  rules: [onlyBeside(['trend'], ['compare_expr'])],
  payload: statPayload,
});

/** Without `value_expr` the value is the data, or the only cell of its only row. */
async function statPayload(input: PayloadInput): Promise<StatPayload> {
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
    ...('href_expr' in input.config && {
      href: safeHrefOf(await evaluateKey(input, 'href_expr', { value })),
    }),
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
