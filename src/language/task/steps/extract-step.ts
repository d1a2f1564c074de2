import { isRecord } from '../../../base/json.ts';
import { callArgsOrExpression, connector, method, withArguments } from '../../declare/connector-call.ts';
import { fittingCall, fittingErrors } from '../../declare/connector-fit.ts';
import { has, is, when, without } from '../../declare/json-schema.ts';
import { map, submap } from '../../declare/map.ts';
import { idleWhere, type Rule } from '../../declare/rules.ts';
import { special, type Value } from '../../declare/value.ts';
import { duration, field, flag, number, oneOf, text } from '../../declare/values.ts';
import type { Template } from '../../expression/template-string.ts';
import { readTemplate } from '../../yaml/expression-reader.ts';
import { typeName } from '../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { PARTITION } from '../partition/partition.ts';
import { CONNECTOR_RETRY } from '../retry-policy.ts';
import { PAGING_TYPES } from './paging-types.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type CursorSpec = NonNullable<ExtractStep['cursor']>;
export type PartitionSpec = NonNullable<ExtractStep['partition']>;
export type ExtractStep = StepOf<typeof extractStep>;

/** A value of the cursor's type, in which `{{ expression }}` may stand. */
function bound(words: string): Value<Template | null> {
  return special(words, {}, (reader, key) =>
    reader.has(key) ? readTemplate(reader.check, reader.value(key), reader.at(key), TASK_NAMES) : null,
  );
}

const WINDOW_WORDS =
  'Maximum cursor range of one run, starting at the first new row: a duration for `date` and `datetime`, otherwise a number. The next run continues from there.';
const WINDOW_TIME = duration(WINDOW_WORDS);
const WINDOW_NUMBER = number(WINDOW_WORDS, { min: 1, max: Number.MAX_SAFE_INTEGER });

/** Milliseconds, or a number where the cursor is no time. */
const WINDOW: Value<number | null> = special(
  WINDOW_WORDS,
  (options) => ({ anyOf: [WINDOW_TIME.schema(options), WINDOW_NUMBER.schema(options)] }),
  (reader, key) => {
    const isTime = ['date', 'datetime'].includes(String(reader.value('type')));
    return (isTime ? WINDOW_TIME : WINDOW_NUMBER).read(reader, key);
  },
);

const CURSOR_BY_FIELD = [
  'field',
  'type',
  'initial',
  'end',
  'lookback',
  'window',
  'order',
  'on_missing',
  'param',
];

/** Either the source keeps its own state, or a column says what is new. */
const STATE_OR_FIELD: Rule = {
  check: (reader) => {
    const isState = reader.value('state') === true;
    if (isState) for (const key of CURSOR_BY_FIELD) reader.idle(key, 'the source keeps its own state');
    else for (const key of ['field', 'type']) if (!reader.has(key)) reader.wrong(key, `"${key}" is required`);
  },
  schemas: () => [
    when(is('state', true), without(...CURSOR_BY_FIELD), { allOf: [has('field'), has('type')] }),
  ],
};

const CURSOR = map(
  'Reads only rows that are new since the last run, by a column with growing values, or by state kept by the source (`state`). A load with a `key` receives the rows with the last value again, so that no later row with that value is missed; an `append` receives only greater values, so append by a column whose values never repeat. If the method accepts no condition (free SQL), `args` must use `state.cursor`.',
  {
    state: flag(
      'The source tracks what is new, in a state returned by each run: Airbyte sources and Singer taps.',
    ),
    field: field('The column with growing values. Required without `state`.'),
    type: oneOf('The type of its values. Required without `state`.', [
      'string',
      'integer',
      'number',
      'date',
      'datetime',
    ]),
    initial: bound(
      'Where the first run starts (inclusive); may hold `{{ expression }}`. Default: the first run reads everything. Required if `args` use `state.cursor`.',
    ),
    end: bound('Where each run ends (exclusive); may hold `{{ expression }}`. Default: no end.'),
    lookback: duration('How far before the saved value each run starts, to catch rows that arrive late.', {
      default: 0,
    }),
    window: WINDOW,
    order: oneOf(
      'Whether the source returns rows in cursor order: `asc`, the default where supported, or `none`.',
      ['asc', 'none'],
    ),
    on_missing: oneOf(
      'What happens to rows without a value in the column: `fail` the step, `skip` them, or `include` them in every run.',
      ['fail', 'skip', 'include'],
      { default: 'fail' },
    ),
    param: text(
      'HTTP APIs: the request parameter for the start value, so that only new records are returned.',
      { charsMax: 200, pattern: '\\S', problem: (_, key) => `"${key}" must not be empty` },
    ),
  },
  {
    rules: [
      STATE_OR_FIELD,
      idleWhere('type', ['string', 'integer', 'number'], ['lookback'], (type) => {
        return `a cursor of type ${type} has no time`;
      }),
      idleWhere('type', ['string'], ['window'], () => 'texts have no distance'),
    ],
    make: ({ state, field, type, lookback, on_missing, ...values }) => ({
      ...values,
      /** The source's own state is the cursor; there is no field then. */
      isState: state,
      field: field ?? '',
      type: type ?? 'string',
      lookbackMs: lookback,
      onMissing: on_missing,
    }),
  },
);

/** Pagination of a list: an argument of the method, with a place of its own. */
const PAGINATE: Value<Template | null> = special(
  `Pagination of an HTTP list: a map with a \`type\` of ${PAGING_TYPES.join(', ')}, and the keys of that type.`,
  { type: 'object', required: ['type'], properties: { type: { enum: [...PAGING_TYPES] } } },
  (reader, key) => {
    if (!reader.has(key)) return null;
    const value = reader.value(key);
    if (!isRecord(value)) return reader.wrong(key, `"${key}" must be a map, not ${typeName(value)}`);
    const type = value['type'];
    if (!PAGING_TYPES.some((known) => known === type)) {
      const at = type === undefined ? reader.at(key) : reader.at(key, 'type');
      reader.check.add(at, `"type" of "${key}" must be one of ${PAGING_TYPES.join(', ')}`);
      return null;
    }
    const args = reader.value('args') ?? {};
    if (!isRecord(args))
      return reader.wrong(key, `"${key}" has no effect: a single expression provides all of "args"`, 'key');
    if (Object.hasOwn(args, key)) {
      reader.check.add(reader.at('args', key), `"${key}" is among "args" already; keep one`, 'key');
      return null;
    }
    return readTemplate(reader.check, value, reader.at(key), TASK_NAMES);
  },
);

/** Arguments beside which `paginate`, one of them with a place of its own, cannot act; its reader tells why. */
const PAGED_ARGS: Rule = {
  check: () => undefined,
  schemas: () => {
    const inside = { type: 'object', required: ['paginate'] };
    const args = { required: ['args'], properties: { args: { anyOf: [{ type: 'string' }, inside] } } };
    return [{ not: { allOf: [has('paginate'), args] } }];
  },
};

/** `extract`: rows from a connector's method. */
export const extractStep = stepKind({
  kind: 'extract',
  words: 'Reads rows with a connector method, as a stream of batches.',
  atOnce: 'use "partition", which reads a table, or many files, in concurrent parts',
  takesRows: false,
  givesRows: true,
  retry: CONNECTOR_RETRY,
  keys: {
    connector,
    method: method({ required: true }),
    args: callArgsOrExpression('Arguments of the method; texts may hold `{{ expression }}`.', TASK_NAMES),
    paginate: PAGINATE,
    cursor: submap(CURSOR),
    partition: submap(PARTITION),
  },
  rules: [fittingCall('an extract step', ['rows'], ['paginate']), fittingErrors, PAGED_ARGS],
  make: ({ args, paginate, ...values }) => ({ ...values, args: withArguments(args, { paginate }) }),
});
