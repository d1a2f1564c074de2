import { expression } from '../../declare/expressions.ts';
import { shown } from '../../declare/value.ts';
import { integer, text } from '../../declare/values.ts';
import { DATA_ITEM_NAMES, DATA_NAMES } from '../../yaml/scope-names.ts';

/** The most items of a list that an author writes. */
export const ITEMS_MAX = 200;

export const LEVELS = ['info', 'success', 'warning', 'danger'] as const;

const FORMATS = [
  'number',
  'integer',
  'compact',
  'percent',
  'bytes',
  'duration',
  'date',
  'datetime',
  'relative',
  'text',
];

/** How a value is shown: one of `FORMATS`, or `currency:` and an ISO 4217 code. */
export const format = shown(
  text(
    'Number format: number, integer, compact, currency:EUR (or another ISO 4217 code), percent (0.5 is 50 %), bytes, duration (of seconds), date, datetime, relative or text.',
    {
      pattern: `^(?:${FORMATS.join('|')}|currency:[A-Z]{3})$`,
      problem: (given, key) =>
        `"${key}" must be one of ${FORMATS.join(', ')} or currency:EUR, not "${given}"`,
    },
  ),
);

/** How many decimals a number is written with: exactly as many, also where they are 0. */
export const decimals = shown(
  integer(
    'Fixed number of decimals. Default: up to two for numbers, one for percent and compact, none for integer.',
    { min: 0, max: 10, absent: 'that of the format' },
  ),
);

/** An expression over the data as a whole. */
export const overData = (words: string) => expression(words, DATA_NAMES);

/** An expression over one item of the data, with its place. */
export function overItem<const R extends { readonly required?: boolean }>(words: string, rules: R = {} as R) {
  return expression(words, DATA_ITEM_NAMES, rules);
}

export const items_expr = overData('The list of records. Default: the data itself.');
