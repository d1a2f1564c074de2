import { statSync } from 'node:fs';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { Store } from '../../store/store.ts';
import type { WorkerPoolStats } from '../../threads/worker-pool.ts';

const MB = 1_048_576;

export interface MemoryFiguresDeps {
  readonly bulkFiles: Store['bulkFiles'];
  readonly workers: () => Pick<WorkerPoolStats, 'memory' | 'drafts'>;
}

/** Bytes by part of the server: what is used, and what may be. */
export interface MemoryFigures {
  readonly used: () => Readonly<Record<string, number>>;
  readonly limits: () => Readonly<Record<string, number>>;
}

/**
 * The memory of this control plane and of its worker hosts. SQLite says nothing of its page caches through Node: what counts is
 * how much they can hold at the present size of their files.
 */
export function createMemoryFigures({ bulkFiles, workers }: MemoryFiguresDeps): MemoryFigures {
  // The log thread reads the state and writes the logs by connections of its own.
  const connections = bulkFiles === null ? [] : Array<string>(3).fill(bulkFiles.statePath);
  if (bulkFiles !== null) connections.push(bulkFiles.logsPath, bulkFiles.logsPath);
  const cacheBytesMax = (bulkFiles?.cacheMb ?? 0) * MB;
  return {
    used() {
      const { rss, heapUsed, heapTotal, external } = process.memoryUsage();
      const { memory, drafts } = workers();
      const cached = connections.map((path) => Math.min(cacheBytesMax, sizeOf(path)));
      return {
        control_plane: rss,
        control_plane_heap: heapUsed,
        control_plane_young: youngBytes(),
        control_plane_native: Math.max(0, rss - heapTotal - external),
        ...(bulkFiles !== null && { sqlite_cache: cached.reduce((sum, bytes) => sum + bytes, 0) }),
        worker_host: memory.bytes,
        ...(drafts !== undefined && { worker_host_drafts: drafts.bytes }),
      };
    },
    limits() {
      const { memory, drafts } = workers();
      return {
        control_plane_heap: getHeapStatistics().heap_size_limit,
        ...(bulkFiles !== null && { sqlite_cache: connections.length * cacheBytesMax }),
        worker_host: memory.bytesMax,
        ...(drafts !== undefined && { worker_host_drafts: drafts.bytesMax }),
      };
    },
  };
}

/** What V8 has set aside for objects of the moment; it grows with the load, and shrinks when the process is idle. */
function youngBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
