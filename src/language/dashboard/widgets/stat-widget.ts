import {
  aFormat,
  aNumber,
  anExpression,
  aText,
  aValueExpression,
  LEVELS,
  listOf,
  oneOf,
  type WidgetKind,
} from './widget-kind.ts';

/** One number, perhaps beside an earlier one. Without `value_expr` it is the data itself. */
export const statWidget: WidgetKind = {
  width: 3,
  bound: true,
  keys: {
    value_expr: anExpression,
    format: aFormat,
    unit: aText,
    compare_expr: aValueExpression,
    trend: oneOf('up_is_good', 'down_is_good'),
    sparkline_expr: aValueExpression,
    thresholds: listOf({ value: aNumber, level: oneOf(...LEVELS) }, ['value', 'level']),
  },
  publicKeys: { format: true, unit: true, trend: true, thresholds: { value: true, level: true } },
  check: (reader) => {
    if (!reader.has('compare_expr')) reader.idle('trend', 'there is no "compare_expr" beside it');
  },
};
