import { aFlag, aFormat, anExpression, anInteger, anItemExpression, type WidgetKind } from './widget-kind.ts';

/** Shares of a whole; slices beyond `other_after` are added up as one. */
export const pieChartWidget: WidgetKind = {
  width: 4,
  bound: true,
  keys: {
    items_expr: anExpression,
    label_expr: anItemExpression,
    value_expr: anItemExpression,
    donut: aFlag,
    other_after: anInteger(1, 100),
    format: aFormat,
  },
  publicKeys: { donut: true, other_after: true, format: true },
};
