import {
  aColor,
  aFlag,
  aFormat,
  anExpression,
  anItemExpression,
  aText,
  type KeyCheck,
  listOf,
  oneOf,
  type PublicKeys,
} from './widget-kind.ts';

/** The keys that bar and line charts share. */
export const SERIES_KEYS: Readonly<Record<string, KeyCheck>> = {
  items_expr: anExpression,
  x_expr: anItemExpression,
  series: listOf({ label: aText, value_expr: anItemExpression, color: aColor }, ['value_expr']),
  stacked: aFlag,
  format: aFormat,
  x_type: oneOf('category', 'time', 'number'),
};

export const PUBLIC_SERIES_KEYS: PublicKeys = {
  series: { label: true, color: true },
  stacked: true,
  format: true,
  x_type: true,
};
