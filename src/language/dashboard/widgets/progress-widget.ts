import { aFormat, anExpression, type WidgetKind } from './widget-kind.ts';

/** A bar of what is done over what there is. Without expressions they are `current` and `total` of the data. */
export const progressWidget: WidgetKind = {
  width: 4,
  bound: true,
  keys: { current_expr: anExpression, total_expr: anExpression, format: aFormat },
  publicKeys: { format: true },
};
