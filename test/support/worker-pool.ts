import type { Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import type { Plugin } from '../../src/drivers/plugins/plugin.ts';
import { createWorkerPool } from '../../src/threads/pool.ts';
import type { WorkerPool, WorkerPoolOptions } from '../../src/threads/worker-pool.ts';
import { keepOpen } from '../runner/footprint.ts';
import { programEntry } from './program.ts';

interface PoolOptions extends Partial<WorkerPoolOptions> {
  readonly fileRoots?: readonly string[];
  readonly plugins?: readonly Plugin[];
}

let shared: Promise<WorkerPool> | undefined;

/**
 * The real worker host with two threads, one for all files of the process, which takes more than half a second of the processor to start: for
 * checking texts. Its threads know connectors by their ids, and what editors try out would start another host, which a file must not leave
 * behind: both need a host of the test's own.
 */
export function sharedWorkerPool(): Promise<WorkerPool> {
  shared ??= keepOpen(() => startedPool({}));
  return shared;
}

/** A worker host of the test's own, whose file connectors may use its folder; stopped when the test ends. */
export async function startWorkerPool(t: Test, options: PoolOptions = {}): Promise<WorkerPool> {
  const pool = await startedPool(options);
  t.teardown(() => pool.stop());
  return pool;
}

async function startedPool(options: PoolOptions): Promise<WorkerPool> {
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
  await pool.ready();
  return pool;
}
