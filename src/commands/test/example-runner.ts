import { AppError } from '../../base/errors.ts';
import { silentLogger } from '../../base/logger.ts';
import type { TestOutcome } from '../../engine/preview/test-task.ts';
import { createWorkerPool, type WorkerPool } from '../../threads/pool.ts';
import { EXAMPLE_SECONDS_MAX } from './example-limits.ts';

/** Runs examples where nothing that is written in them can stop the command. */
export interface ExampleRunner {
  /** The example at this place of the task's `tests`. One that exceeds its time, memory or output does not hold. */
  run(yaml: string, index: number): Promise<TestOutcome>;
  close(): Promise<void>;
}

/** Starts the worker host with the first example. */
export function openExampleRunner(): ExampleRunner {
  let pool: WorkerPool | null = null;
  return {
    async run(yaml, index) {
      pool ??= createWorkerPool({
        logger: silentLogger,
        // No connector is opened.
        data: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1 },
        threads: 1,
        isolatedHosts: 1,
      });
      try {
        const timeoutMs = EXAMPLE_SECONDS_MAX * 1_000;
        return JSON.parse(await pool.run({ kind: 'test_task', input: { yaml, index } }, { timeoutMs }));
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'UNPROCESSABLE') throw error;
        return {
          holds: false,
          failure: { code: error.code, message: error.message, step_id: '' },
          steps: [],
        };
      }
    },
    close: async () => pool?.stop(),
  };
}
