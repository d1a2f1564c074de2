import { template } from '../../declare/expressions.ts';
import { oneOf } from '../../declare/values.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { NO_RETRY } from '../retry-policy.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type StopStep = StepOf<typeof stopStep>;

/** `stop`: the steps after it do not run. */
export const stopStep = stepKind({
  kind: 'stop',
  words: 'Ends the task here, usually with `when`: later steps do not run.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: {
    status: oneOf('How the task ends.', ['success', 'warning', 'error'], { default: 'success' }),
    message: template('Logged, and used as the error message; may hold `{{ expression }}`.', TASK_NAMES),
  },
});
