import { anExpression, type WidgetKind } from './widget-kind.ts';

/** Contact cards. Without expressions the data is the list of people, with `name`, `role` and so on. */
export const peopleWidget: WidgetKind = {
  width: 6,
  bound: true,
  keys: {
    items_expr: anExpression,
    name_expr: anExpression,
    role_expr: anExpression,
    email_expr: anExpression,
    phone_expr: anExpression,
    avatar_expr: anExpression,
    href_expr: anExpression,
  },
  publicKeys: {},
};
