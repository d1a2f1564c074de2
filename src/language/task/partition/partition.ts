import { has, when, without } from '../../declare/json-schema.ts';
import { map } from '../../declare/map.ts';
import type { Rule } from '../../declare/rules.ts';
import { special, type Value } from '../../declare/value.ts';
import { field, integer } from '../../declare/values.ts';
import { typeName } from '../../yaml/map-reader.ts';

/** Ranges that a table is divided into at most. */
export const PARTS_MAX = 256;
/** Parts that files are shared out to at most. */
export const FILE_PARTS_MAX = 256;
/** Values that have a part of their own at most: the part of all others holds a condition for each. */
export const PART_VALUES_MAX = 64;
const CONCURRENCY_MAX = 16;
const SLOTS_MAX = 64;
/** Where the document names none. */
export const SLOTS_DEFAULT = 4;
const VALUE_CHARS_MAX = 1_000;

const VALUES_WORDS = `Column values that get their own part, 1 to ${PART_VALUES_MAX}. All other rows form one more part.`;

function isPartValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string'
    ? value.length <= VALUE_CHARS_MAX
    : typeof value === 'number' || typeof value === 'boolean';
}

const VALUES: Value<readonly (string | number | boolean)[] | null> = special(
  VALUES_WORDS,
  {
    type: 'array',
    minItems: 1,
    maxItems: PART_VALUES_MAX,
    uniqueItems: true,
    items: { type: ['string', 'number', 'boolean'] },
  },
  (reader, key) => {
    const list = reader.list(key, { max: PART_VALUES_MAX });
    if (list === null) return null;
    if (list.length === 0) return reader.wrong(key, `"${key}" must not be empty`);
    for (const [index, value] of list.entries()) {
      if (!isPartValue(value)) {
        const what =
          typeof value === 'string' ? `one of more than ${VALUE_CHARS_MAX} characters` : typeName(value);
        const hint = value === null ? '; rows without a value get their own part anyway' : '';
        reader.check.add(
          reader.at(key, index),
          `A value of "${key}" must be a text, a number, true or false, not ${what}${hint}`,
        );
      } else if (list.indexOf(value) < index)
        reader.check.add(reader.at(key, index), `"${value}" is in "${key}" twice`);
    }
    return list.filter(isPartValue);
  },
);

const WAYS = ['parts', 'values', 'files'] as const;

const ONE_DIVISION: Rule = {
  check: (reader) => {
    const given = WAYS.filter((key) => reader.has(key));
    if (given.length === 0)
      reader.wrong(
        'parts',
        '"parts" (a number of ranges), "values" (a list of values) or "files" (a number of parts of whole files) is required',
      );
    reader.atMostOne('parts', 'values');
    reader.atMostOne('parts', 'files');
    reader.atMostOne('values', 'files');
    if (reader.has('files')) reader.idle('by', '"files" divides by whole files, not by a column');
    else if (!reader.has('by')) reader.wrong('by', '"by", the column to partition by, is required');
  },
  schemas: () => [
    { anyOf: WAYS.map((key) => has(key)) },
    ...WAYS.flatMap((one, at) =>
      WAYS.slice(at + 1).map((other) => ({ not: { allOf: [has(one), has(other)] } })),
    ),
    when(has('files'), without('by'), has('by')),
  ],
};

/** `partition` of an extract. */
export const PARTITION = map(
  'Reads a table, or many files, in concurrent parts. Each part is staged at the target and retried separately; the load publishes all of them together.',
  {
    by: field(
      'The column to partition by, required unless `files` is given; for `parts`, of an integer or time type. Ideally indexed, with values that do not change. Rows without a value get their own part.',
    ),
    parts: integer('Number of equal-width ranges of its values.', {
      min: 1,
      max: PARTS_MAX,
    }),
    values: VALUES,
    files: integer(
      'Maximum number of parts that whole files are shared out to, by their sizes. For reading files by a pattern (`files` of the arguments).',
      { min: 1, max: FILE_PARTS_MAX },
    ),
    concurrency: integer('Concurrent parts per executor slot.', {
      min: 1,
      max: CONCURRENCY_MAX,
      default: 4,
    }),
    slots: integer(
      `Maximum executor slots for the parts, including the run’s own. Others help if they are free and able to: they must reach every connector, and failed rows must not become dead letters. Default ${SLOTS_DEFAULT}, or 1 if others cannot help. 1: only the run’s own.`,
      { min: 1, max: SLOTS_MAX },
    ),
  },
  { rules: [ONE_DIVISION] },
);
