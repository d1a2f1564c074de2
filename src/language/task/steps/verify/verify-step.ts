import { isRecord } from '../../../../base/json.ts';
import { withArticle } from '../../../../base/text/with-article.ts';
import { callArgsOrExpression, connector, method } from '../../../declare/connector-call.ts';
import { connectorOf, fittingCall } from '../../../declare/connector-fit.ts';
import { template } from '../../../declare/expressions.ts';
import { has, when, without } from '../../../declare/json-schema.ts';
import { map, submap } from '../../../declare/map.ts';
import type { Rule } from '../../../declare/rules.ts';
import type { Template } from '../../../expression/template-string.ts';
import { MapReader } from '../../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../../retry-policy.ts';
import { type FieldPair, fieldPairs } from '../ops/field-pairs.ts';
import { type StepOf, stepKind } from '../step-kind.ts';
import { COMPARED_COLUMNS, COMPARING, type Comparing, comparingOf } from './verify-options.ts';

export type VerifyStep = StepOf<typeof verifyStep>;

/** Rows to compare: those of a resource as a whole, or of a method. */
export interface VerifiedRows {
  readonly connector: string;
  readonly object: Template | null;
  readonly method: string | null;
  readonly args: Template;
}

export interface VerifyFields extends Comparing {
  readonly source: VerifiedRows;
  readonly target: VerifiedRows;
  readonly key: readonly FieldPair[];
  /** null: all that both have. */
  readonly columns: readonly FieldPair[] | null;
}

/** What is read is told by one of the two. */
const ONE_SOURCE: Rule = {
  check: (reader) => {
    if (!reader.has('object') && !reader.has('method'))
      reader.wrong('object', '"object" (a table, file or collection) or "method" is required');
    reader.atMostOne('object', 'method');
    if (!reader.has('method')) reader.idle('args', 'there is no "method" beside it');
  },
  schemas: () => [
    { anyOf: [has('object'), has('method')] },
    { not: { allOf: [has('object'), has('method')] } },
    when({ not: has('method') }, without('args')),
  ],
};

/** The method is looked at where there is one. */
const FITTING_METHOD: Rule = {
  check: (reader) => {
    if (reader.has('method')) fittingCall('a verify step', ['rows']).check(reader);
  },
  schemas: () => [],
};

const SIDE_KEYS = {
  connector,
  object: template(
    'The table, file or collection, compared as a whole; may hold `{{ expression }}`.',
    TASK_NAMES,
  ),
  method: method({}),
  args: callArgsOrExpression('Arguments of the method; texts may hold `{{ expression }}`.', TASK_NAMES),
};

function side(words: string) {
  const of = map(words, SIDE_KEYS, {
    rules: [ONE_SOURCE, FITTING_METHOD],
    make: (values): VerifiedRows => values,
  });
  return submap(of, { required: true });
}

/** Rows are loaded again by their key, into an object. */
const RELOADED: Rule = {
  check: (reader) => {
    const target = reader.value('target');
    if (reader.value('on_difference') !== 'reload' || !isRecord(target)) return;
    const at = new MapReader(reader.check, target, reader.at('target'));
    const type = connectorOf(at);
    if (at.has('method'))
      reader.wrong(
        'on_difference',
        '"reload" writes into the "object" of the target, which reads by "method"',
      );
    else if (type !== null && !type.writeModes.includes('merge'))
      reader.wrong(
        'on_difference',
        `${withArticle(type.type)} connector cannot load with mode "merge", by which "reload" writes`,
      );
  },
  schemas: () => [],
};

/** `verify`: two tables hold the same rows, else the task fails, warns, or loads the rows that differ again. */
export const verifyStep = stepKind({
  kind: 'verify',
  words:
    'Proves that a target has the rows of its source: compares both by key, inside the databases where they can compute digests, and lists the rows that differ, are missing or are surplus.',
  takesRows: false,
  givesRows: false,
  retry: CONNECTOR_RETRY,
  keys: {
    source: side('Where the right values are.'),
    target: side('What must have the same rows.'),
    key: fieldPairs(
      'Columns that identify a row: a list, or a map `column of the source: column of the target`. Rows with the same key several times are compared as a set.',
    ),
    columns: COMPARED_COLUMNS,
    ...COMPARING,
  },
  rules: [RELOADED],
  make: ({ source, target, key, columns, ...comparing }): VerifyFields => ({
    source,
    target,
    key,
    columns,
    ...comparingOf(comparing),
  }),
});
