import { aField, anExpression, aText, listOf, type WidgetKind } from './widget-kind.ts';

/** A process in steps, listed here or found in the data. */
export const stepsWidget: WidgetKind = {
  width: 12,
  bound: true,
  keys: {
    items: listOf({ key: aField, label: aText, state: aText, detail: aText }, ['key']),
    items_expr: anExpression,
    current_expr: anExpression,
  },
  publicKeys: {},
  check: (reader) => reader.atMostOne('items', 'items_expr'),
};
