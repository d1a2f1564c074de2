import { callArgsOrExpression, connector, method } from '../../declare/connector-call.ts';
import { fittingCall } from '../../declare/connector-fit.ts';
import { map, submap } from '../../declare/map.ts';
import { idleWhere } from '../../declare/rules.ts';
import { special } from '../../declare/value.ts';
import { duration, oneOf, text } from '../../declare/values.ts';
import type { Template } from '../../expression/template-string.ts';
import { readTemplate } from '../../yaml/expression-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../retry-policy.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type CursorSpec = NonNullable<ExtractStep['cursor']>;
export type ExtractStep = StepOf<typeof extractStep>;

const CURSOR = map(
  'Remembers the highest value of a column that was read. Filter by it, as `state.cursor`, in `args` to read only new rows.',
  {
    field: text('The column whose values grow from run to run.', { required: true }),
    type: oneOf('The type of its values.', ['string', 'integer', 'number', 'date', 'datetime'], {
      required: true,
    }),
    initial: special(
      'The value of `state.cursor` in the first run; may hold `{{ expression }}`. Default: null.',
      {},
      (reader, key): Template | null =>
        reader.has(key) ? readTemplate(reader.check, reader.value(key), reader.at(key), TASK_NAMES) : null,
    ),
    lookback: duration('How far before the saved value each run begins, for rows that arrive late.', {
      default: 0,
    }),
  },
  {
    later: ['end', 'window', 'order', 'on_missing', 'param'],
    rules: [
      idleWhere('type', ['string', 'integer', 'number'], ['lookback'], (type) => {
        return `a cursor of type ${type} is no time`;
      }),
    ],
    make: ({ field, type, initial, lookback }) => ({ field, type, initial, lookbackMs: lookback }),
  },
);

/** `extract`: rows from a connector's method. */
export const extractStep = stepKind({
  kind: 'extract',
  words: 'Reads rows with a method of a connector, as a stream of batches.',
  takesRows: false,
  givesRows: true,
  retry: CONNECTOR_RETRY,
  keys: {
    connector,
    method: method({ required: true }),
    args: callArgsOrExpression('Arguments of the method; texts may hold `{{ expression }}`.', TASK_NAMES),
    cursor: submap(CURSOR),
  },
  later: ['paginate'],
  rules: [fittingCall('an extract step', ['rows'])],
});
