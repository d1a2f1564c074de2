import { callArgsOrExpression, connector, method } from '../../declare/connector-call.ts';
import { fittingCall } from '../../declare/connector-fit.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { CONNECTOR_RETRY } from '../retry-policy.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type CallStep = StepOf<typeof callStep>;

/** `call`: one call of a connector's method; its answer is the step's output. */
export const callStep = stepKind({
  kind: 'call',
  words: 'Calls a connector method once; expressions can read the result as `steps.<id>.output`.',
  atOnce: 'it is one call; put it into a "foreach" with "concurrency"',
  takesRows: false,
  givesRows: false,
  retry: CONNECTOR_RETRY,
  keys: {
    connector,
    method: method({ required: true }),
    args: callArgsOrExpression('Arguments of the method; texts may hold `{{ expression }}`.', TASK_NAMES),
  },
  rules: [fittingCall('a call step', ['value', 'write'])],
});
