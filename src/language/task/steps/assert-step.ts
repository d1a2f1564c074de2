import { NO_EXPRESSION, readExpressionKey, readTemplate } from '../../yaml/expression-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { NO_RETRY } from '../retry-policy.ts';
import type { StepReader } from './step-base.ts';

/** `assert`: an expression that must be true, else the task fails, or warns. */
export const assertStep: StepReader = {
  keys: { keys: ['check_expr', 'severity', 'message'] },
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  read: (reader, common) => {
    const message = reader.text('message');
    return {
      ...common,
      kind: 'assert',
      check: readExpressionKey(reader, 'check_expr', TASK_NAMES, { required: true }) ?? NO_EXPRESSION,
      severity: reader.oneOf('severity', ['warn', 'error']) ?? 'error',
      message:
        message === null ? null : readTemplate(reader.check, message, reader.at('message'), TASK_NAMES),
    };
  },
};
