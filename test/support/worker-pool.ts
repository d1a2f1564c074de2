import type { Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import type { Plugin } from '../../src/drivers/plugins/plugin.ts';
import { createWorkerPool } from '../../src/threads/pool.ts';
import type { WorkerPool, WorkerPoolOptions } from '../../src/threads/worker-pool.ts';
import { programEntry } from './program.ts';

/**
 * The real worker host with two threads, whose file connectors may use the test's folder; stopped when the test ends. It
 * takes about half a second to start: share one between the tests of a file.
 */
export async function startWorkerPool(
  t: Test,
  options: Partial<WorkerPoolOptions> & {
    readonly fileRoots?: readonly string[];
    readonly plugins?: readonly Plugin[];
  } = {},
): Promise<WorkerPool> {
  const { fileRoots = [], plugins = [], ...rest } = options;
  const pool = createWorkerPool({
    logger: silentLogger,
    data: { fileRoots, forbiddenFiles: [], connectTimeoutMs: 2_000, plugins },
    threads: 2,
    isolatedHosts: 1,
    hostEntry: programEntry('src/threads/host'),
    entries: {
      language: programEntry('workers/language'),
      connector: programEntry('workers/connector'),
      widget: programEntry('workers/widget'),
      preview: programEntry('workers/preview'),
    },
    ...rest,
  });
  t.teardown(() => pool.stop());
  await pool.ready();
  return pool;
}
