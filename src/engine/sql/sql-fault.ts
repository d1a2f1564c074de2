import { RunFault } from '../run-fault.ts';

const MESSAGE_CHARS_MAX = 2_000;
const PREFIX = /^Failed to extract statements: /;
const POSITION = /\n+LINE (\d+): [\s\S]*$/;
const LIMIT = /max_temp_directory_size|could not allocate|failed to (?:allocate|offload|pin)|out of memory/i;

/**
 * What the engine says, without the excerpt that it adds: the line of the query, and the message. Beyond its memory or its disk it is
 * `SQL_LIMIT`, which another attempt would only meet again.
 */
export function sqlFault(error: unknown, stepId: string): RunFault {
  if (error instanceof RunFault) return error;
  // Limits of this product on what a value may be are told as they are; the rest is the engine's.
  if (error instanceof RangeError)
    return new RunFault('SQL_ERROR', error.message, { reason: 'task_error', stepId, cause: error });
  const said = error instanceof Error ? error.message : String(error);
  const line = POSITION.exec(said)?.[1];
  const text = said.replace(PREFIX, '').replace(POSITION, '').trim().slice(0, MESSAGE_CHARS_MAX);
  if (LIMIT.test(said)) {
    const message = `The step needs more memory or disk than it may have; join on more columns, or select less (${text.split('\n')[0]})`;
    return new RunFault('SQL_LIMIT', message, { reason: 'task_error', stepId, cause: error });
  }
  const at = line === undefined ? '' : `Line ${line} of the query: `;
  return new RunFault('SQL_ERROR', `${at}${text}`, { reason: 'task_error', stepId, cause: error });
}
