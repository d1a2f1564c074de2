import { isRecord } from '../../../../base/json.ts';
import { map } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import type { Value } from '../../../declare/value.ts';
import { field, names, oneOf, text } from '../../../declare/values.ts';
import { type MapReader, typeName } from '../../../yaml/map-reader.ts';
import { didYouMean } from '../../../yaml/suggest-name.ts';
import { fieldPairs } from './field-pairs.ts';
import { fieldMap, mapOp } from './op-value.ts';

/** What an `aggregate` computes of the values of a group; nulls are left out. */
const AGGREGATE_WORDS = {
  count: 'How many values there are.',
  count_distinct: 'How many different values there are.',
  sum: 'The sum of numbers; that of integers and decimals is exact.',
  avg: 'The mean of numbers.',
  median: 'The median of numbers.',
  min: 'The least value.',
  max: 'The greatest value.',
  first: 'The first value, as the rows came.',
  last: 'The last value, as the rows came.',
  list: 'A list of all values, as the rows came.',
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
    'Makes one row of each group of rows. It waits for all rows of the step.',
    {
      by: names('The fields that make a group; without any, all rows are one group.', { default: [] }),
      fields: FIELDS,
    },
    { rules: [DIFFERENT_FIELDS] },
  ),
);

/** `dedupe`: one row of those with the same key. */
export const DEDUPE = mapOp(
  map(
    'Keeps one of the rows with the same values, and leaves the others out as filtered. It waits for all rows of the step.',
    {
      by: names('The fields that are compared. Default: all.', { default: [] }),
      keep: oneOf(
        'Which row stays: the first or the last one, as they came or by `sort`.',
        ['first', 'last'],
        {
          default: 'first',
        },
      ),
      sort: field(
        'A field whose least (`first`) or greatest (`last`) value decides; a row without one never wins.',
      ),
    },
  ),
);

const ON = fieldPairs(
  'The fields that must be equal: a list of names, or a map `field: field of the other step`.',
);

/** `join`: rows of two steps side by side. */
export const JOIN = mapOp(
  map('Adds the fields of another step’s rows with the same key. It waits for all rows of both steps.', {
    with: text('The step whose rows are joined, earlier in the same list.', { required: true }),
    on: ON,
    type: oneOf(
      '`inner`: rows that have a match; `left`: all rows; `full`: all rows of both; `semi`: rows that have a match, without its fields; `anti`: rows that have none.',
      ['inner', 'left', 'full', 'semi', 'anti'],
      { default: 'inner' },
    ),
    prefix: text('Put before the fields of the other step whose names are taken. Default: its id and `_`.', {
      charsMax: 100,
    }),
  }),
);
