import { isRecord } from '../../../../base/json.ts';
import { didYouMean } from '../../../../base/text/suggest-name.ts';
import { map } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import type { Value } from '../../../declare/value.ts';
import { field, names, oneOf, text } from '../../../declare/values.ts';
import { type MapReader, typeName } from '../../../yaml/map-reader.ts';
import { fieldPairs } from './field-pairs.ts';
import { fieldMap, mapOp } from './op-value.ts';

/** What an `aggregate` computes of the values of a group; nulls are left out. */
const AGGREGATE_WORDS = {
  count: 'Number of values.',
  count_distinct: 'Number of distinct values.',
  sum: 'The sum of numbers; exact for integers and decimals.',
  avg: 'The mean of numbers.',
  median: 'The median of numbers.',
  min: 'The smallest value.',
  max: 'The largest value.',
  first: 'The first value, in row order.',
  last: 'The last value, in row order.',
  list: 'A list of all values, in row order.',
} as const;
export type Aggregate = keyof typeof AGGREGATE_WORDS;
const AGGREGATES = Object.keys(AGGREGATE_WORDS) as readonly Aggregate[];

/** A field of the result; `of` is null for a count of rows. */
export interface AggregateField {
  readonly name: string;
  readonly function: Aggregate;
  readonly of: string | null;
}

const FIELDS: Value<readonly AggregateField[]> = {
  ...fieldMap<readonly AggregateField[]>(
    `The fields of the result, as \`name: count\` (rows) or \`name: {function: field}\` with one of ${AGGREGATES.join(', ')}.`,
    {
      anyOf: [
        { const: 'count' },
        {
          type: 'object',
          additionalProperties: false,
          minProperties: 1,
          maxProperties: 1,
          properties: Object.fromEntries(
            Object.entries(AGGREGATE_WORDS).map(([name, description]) => [
              name,
              { description, type: 'string', minLength: 1 },
            ]),
          ),
        },
      ],
    },
    (reader, key) => reader.entries(key).flatMap(([name, value]) => readAggregate(reader, key, name, value)),
  ),
  required: true,
};

function readAggregate(reader: MapReader, key: string, name: string, value: unknown): AggregateField[] {
  const path = reader.at(key, name);
  if (value === 'count') return [{ name, function: 'count', of: null }];
  const [found, ...others] = isRecord(value) ? Object.entries(value) : [];
  const known = AGGREGATES.find((one) => one === found?.[0]);
  if (found === undefined || others.length > 0) {
    reader.check.add(
      path,
      `"${name}" must be count, or a map with one function and its field, not ${typeName(value)}`,
    );
  } else if (known === undefined) {
    const hint = didYouMean(found[0], AGGREGATES) || `; there are ${AGGREGATES.join(', ')}`;
    reader.check.add([...path, found[0]], `Unknown function "${found[0]}"${hint}`, 'key');
  } else if (typeof found[1] !== 'string' || found[1] === '') {
    reader.check.add([...path, known], `"${known}" must name a field, not ${typeName(found[1])}`);
  } else return [{ name, function: known, of: found[1] }];
  return [];
}

/** A group and a figure cannot both be one field. */
const DIFFERENT_FIELDS: Rule = {
  check: (reader) => {
    const by = reader.value('by');
    for (const [name] of reader.entries('fields'))
      if (Array.isArray(by) && by.includes(name))
        reader.check.add(
          reader.at('fields', name),
          `"${name}" is a field of "by" already; choose another name`,
          'key',
        );
  },
  schemas: () => [],
};

/** `aggregate`: a row for each group. */
export const AGGREGATE = mapOp(
  map(
    'Aggregates each group of rows into one row. Waits for all rows of the step.',
    {
      by: names('The fields to group by; without any, all rows form one group.', { default: [] }),
      fields: FIELDS,
    },
    { rules: [DIFFERENT_FIELDS] },
  ),
);

/** `dedupe`: one row of those with the same key. */
export const DEDUPE = mapOp(
  map(
    'Keeps one of the rows with equal values; the others count as filtered. Waits for all rows of the step.',
    {
      by: names('The fields that are compared; nulls are equal. Default: all.', { default: [] }),
      keep: oneOf(
        'Which row is kept: the first or the last one, in row order or by `sort`.',
        ['first', 'last'],
        {
          default: 'first',
        },
      ),
      sort: field(
        'The field whose smallest (`first`) or largest (`last`) value decides; a row without a value never wins.',
      ),
    },
  ),
);

const ON = fieldPairs(
  'The fields that must be equal: a list of names, or a map `field: field of the other step`.',
);

/** `join`: rows of two steps side by side. */
export const JOIN = mapOp(
  map('Joins the rows of another step by key. Waits for all rows of both steps.', {
    with: text('The step to join, earlier in the same list.', { required: true }),
    on: ON,
    type: oneOf(
      '`inner`: rows with a match; `left`: all rows; `full`: all rows of both; `semi`: rows with a match, without its fields; `anti`: rows without a match.',
      ['inner', 'left', 'full', 'semi', 'anti'],
      { default: 'inner' },
    ),
    prefix: text('Prefix for fields of the other step whose names are taken. Default: its id and `_`.', {
      charsMax: 100,
    }),
  }),
);
