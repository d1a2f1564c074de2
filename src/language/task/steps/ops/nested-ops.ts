import { map } from '../../../declare/map.ts';
import { field, flag, integer, names, text } from '../../../declare/values.ts';
import { mapOp, nonEmpty } from './op-value.ts';

const DEPTH_MAX = 20;

/** `flatten`: the entries of maps inside a row become columns of it. */
export const FLATTEN = mapOp(
  map('Puts the entries of maps in these fields into fields of their own, such as `address_city`.', {
    fields: {
      ...nonEmpty(names('The fields whose maps are flattened; they are removed.', { min: 1, default: [] })),
      required: true,
    },
    separator: text('What stands between the names.', { default: '_', charsMax: 20 }),
    depth: integer('How many levels are flattened; what lies deeper stays a map.', {
      min: 1,
      max: DEPTH_MAX,
      absent: 'all',
    }),
  }),
);

/** `unnest`: a row for each item of a list. */
export const UNNEST = mapOp(
  map('Makes a row for each item of a list; all other fields stand in each of them.', {
    field: field('The field with the list; it then holds the item.', { required: true }),
    as: field('The field that holds the item, in place of the one with the list.'),
    position: field('A field with the number of the item in its list, from 1.'),
    keep_empty: flag(
      'Whether a row without items stays, with a null in place of the item. Otherwise it is left out, and counts as filtered.',
    ),
  }),
);
