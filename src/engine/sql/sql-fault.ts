import { saidByEngine } from '../../drivers/duckdb/said-by-engine.ts';
import { RunFault } from '../run-fault.ts';

/**
 * What the engine says, without the excerpt that it adds: the line of the query, and the message. Beyond its memory or its disk it is
 * `SQL_LIMIT`, which another attempt would only meet again.
 */
export function sqlFault(error: unknown, stepId: string): RunFault {
  if (error instanceof RunFault) return error;
  // Limits of this product on what a value may be are told as they are; the rest is the engine's.
  if (error instanceof RangeError)
    return new RunFault('SQL_ERROR', error.message, { reason: 'task_error', stepId, cause: error });
  const { text, isLimit } = saidByEngine(error);
  if (!isLimit) return new RunFault('SQL_ERROR', text, { reason: 'task_error', stepId, cause: error });
  const message = `The step exceeds its memory or disk limit; join on more columns or select less (${text})`;
  return new RunFault('SQL_LIMIT', message, { reason: 'task_error', stepId, cause: error });
}
