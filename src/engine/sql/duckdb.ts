import type { DuckDb } from '../../drivers/duckdb/engine.ts';
import { RunFault } from '../run-fault.ts';

/**
 * The engine of `sql` steps, loaded when a step first needs it: some 70 MB, and an optional dependency. Throws a `RunFault` where it is
 * not installed or cannot be loaded on this machine.
 */
export async function loadDuckDb(stepId: string): Promise<DuckDb> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    const message =
      'This executor cannot run sql steps: the optional package "@duckdb/node-api" is missing or built for another platform; install it next to headgate';
    throw new RunFault('SQL_ENGINE_MISSING', message, { reason: 'config_error', stepId, cause });
  }
}
