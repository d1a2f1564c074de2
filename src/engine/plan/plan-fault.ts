import type { Problem } from '../../base/errors.ts';
import { RunFault } from '../run-fault.ts';

/** Problems that one message names; the others are counted. */
export const PROBLEMS_SHOWN_MAX = 20;

/** All problems of a plan as one `VALIDATION_ERROR`. */
export function planFault(problems: readonly Problem[]): RunFault {
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map(textOf);
  const more = problems.length - shown.length;
  const text = `The task cannot run: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
  return new RunFault('VALIDATION_ERROR', text, { reason: 'config_error', stepId: '' });
}

function textOf({ path, message, line }: Problem): string {
  return line === undefined ? message : `${message} (${path === '' ? '' : `${path}, `}line ${line})`;
}
