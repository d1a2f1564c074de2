import { anExpression, anItemExpression, type WidgetKind } from './widget-kind.ts';

/** Contact cards. Without expressions the data is the list of people, with `name`, `role` and so on. */
export const peopleWidget: WidgetKind = {
  width: 6,
  bound: true,
  keys: {
    items_expr: anExpression,
    name_expr: anItemExpression,
    role_expr: anItemExpression,
    email_expr: anItemExpression,
    phone_expr: anItemExpression,
    avatar_expr: anItemExpression,
    href_expr: anItemExpression,
  },
  publicKeys: {},
};
