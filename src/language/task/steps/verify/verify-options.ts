import { DIFFERENCES_LISTED_MAX } from '../../../../base/run-report.ts';
import { callArgsOrExpression } from '../../../declare/connector-call.ts';
import type { Value, ValuesOf } from '../../../declare/value.ts';
import { integer, number, oneOf } from '../../../declare/values.ts';
import type { Template } from '../../../expression/template-string.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { type FieldPair, fieldPairs } from '../ops/field-pairs.ts';

const DIFFERENCES_DEFAULT = 100;

export const ON_DIFFERENCE = ['fail', 'warn', 'reload'] as const;
export type OnDifference = (typeof ON_DIFFERENCE)[number];

/** How two sides are compared, and what follows where they differ. */
export interface Comparing {
  readonly filter: Template;
  /** Share of the keys; null for all of them. */
  readonly sample: number | null;
  readonly surplus: 'report' | 'ignore';
  readonly differencesMax: number;
  readonly onDifference: OnDifference;
}

const NAMED = fieldPairs(
  'Columns to compare: a list, or a map `column of the source: column of the target`. Default: all that both sides have by the same name; the record of the run lists those that it leaves out.',
);

export const COMPARED_COLUMNS: Value<readonly FieldPair[] | null> = {
  ...NAMED,
  required: false,
  read: (reader, key) => (reader.has(key) ? NAMED.read(reader, key) : null),
};

export const COMPARING = {
  filter: callArgsOrExpression(
    'Conditions on the columns of the source, as `list` takes them, for both sides: `{ordered_on: {gte: "2026-01-01"}}`; texts may hold `{{ expression }}`.',
    TASK_NAMES,
  ),
  sample: number(
    'Share of the keys to compare, such as 0.05. Which ones is decided by a hash of the key, the same on both sides and in each run. Default: all.',
    { min: 0.001, max: 1 },
  ),
  surplus: oneOf(
    'Rows of the target whose key the source does not have: `report` them as differences, or `ignore` them, where the target keeps more than the source.',
    ['report', 'ignore'],
    { default: 'report' },
  ),
  differences_max: integer('Rows that differ to list with their values; all of them are counted.', {
    min: 1,
    max: DIFFERENCES_LISTED_MAX,
    default: DIFFERENCES_DEFAULT,
  }),
  on_difference: oneOf(
    'What follows where the sides differ: `fail` the task, `warn`, or `reload`, which reads the rows that differ or are missing from the source again, merges them into the target by `key`, and compares once more.',
    ON_DIFFERENCE,
    { default: 'fail' },
  ),
};

export function comparingOf({
  differences_max,
  on_difference,
  ...values
}: ValuesOf<typeof COMPARING>): Comparing {
  return { ...values, differencesMax: differences_max, onDifference: on_difference };
}
