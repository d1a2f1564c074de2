import { map } from '../../../declare/map.ts';
import { field, flag, integer, names, text } from '../../../declare/values.ts';
import { mapOp, nonEmpty } from './op-value.ts';

const DEPTH_MAX = 20;

/** `flatten`: the entries of maps inside a row become columns of it. */
export const FLATTEN = mapOp(
  map('Flattens maps in these fields into separate fields, such as `address_city`.', {
    fields: {
      ...nonEmpty(names('The fields to flatten; they are removed.', { min: 1, default: [] })),
      required: true,
    },
    separator: text('Separator between the names.', { default: '_', charsMax: 20 }),
    depth: integer('Levels to flatten; deeper maps stay maps.', {
      min: 1,
      max: DEPTH_MAX,
      absent: 'all',
    }),
  }),
);

/** `unnest`: a row for each item of a list. */
export const UNNEST = mapOp(
  map('Outputs a row for each item of a list; the other fields are repeated.', {
    field: field('The field with the list; replaced by the item.', { required: true }),
    as: field('The field for the item, instead of the list’s.'),
    position: field('A field for the item’s position in the list, from 1.'),
    keep_empty: flag(
      'Whether a row without items is kept, with a null as the item. Otherwise it is dropped and counts as filtered.',
    ),
  }),
);
