import { template } from '../../declare/expressions.ts';
import { oneOf } from '../../declare/values.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { NO_RETRY } from '../retry-policy.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type LogStep = StepOf<typeof logStep>;

/** `log`: a line in the run's log. */
export const logStep = stepKind({
  kind: 'log',
  words: 'Writes a line to the run log.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: {
    level: oneOf('The level of the line.', ['debug', 'info', 'warn', 'error'], { default: 'info' }),
    message: template('The line; may hold `{{ expression }}`.', TASK_NAMES, { required: true }),
  },
});
