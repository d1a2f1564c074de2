import { expression, template } from '../../declare/expressions.ts';
import { oneOf } from '../../declare/values.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { NO_RETRY } from '../retry-policy.ts';
import { type StepOf, stepKind } from './step-kind.ts';

export type AssertStep = StepOf<typeof assertStep>;

/** `assert`: an expression that must be true, else the task fails, or warns. */
export const assertStep = stepKind({
  kind: 'assert',
  words: 'Checks that an expression is true.',
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  keys: {
    check_expr: expression('The condition that must be true.', TASK_NAMES, { required: true }),
    severity: oneOf('`error` fails the task; `warn` ends the step with a warning.', ['warn', 'error'], {
      default: 'error',
    }),
    message: template('Logged when the condition is false; may hold `{{ expression }}`.', TASK_NAMES),
  },
  make: ({ check_expr, severity, message }) => ({ check: check_expr, severity, message }),
});
