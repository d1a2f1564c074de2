import { readTemplate } from '../../yaml/expression-reader.ts';
import { TASK_NAMES } from '../../yaml/scope-names.ts';
import { NO_RETRY } from '../retry-policy.ts';
import type { StepReader } from './step-base.ts';

/** `log`: a line in the run's log. */
export const logStep: StepReader = {
  keys: { keys: ['level', 'message'] },
  takesRows: false,
  givesRows: false,
  retry: NO_RETRY,
  read: (reader, common) => {
    const message = reader.text('message', { required: true }) ?? '';
    return {
      ...common,
      kind: 'log',
      level: reader.oneOf('level', ['debug', 'info', 'warn', 'error']) ?? 'info',
      message: readTemplate(reader.check, message, reader.at('message'), TASK_NAMES),
    };
  },
};
