import type { GaugeSpec } from '../../metering/prometheus-meter.ts';
import type { MemoryFigures } from './memory-figures.ts';
import { OPEN_LETTERS_MAX, type QueueFigures } from './queue-figures.ts';

export interface ServerGaugesDeps {
  readonly figures: () => Promise<QueueFigures>;
  /** Figures of the worker pool. */
  readonly workers: () => { readonly queued: number; readonly running: number; readonly restarts: number };
  /** Clients that follow a run at this control plane. */
  readonly watchers: () => number;
  readonly memory: MemoryFigures;
}

/** Read when `GET /metrics` is called. The figures of the queue come from the store: they are the same at every control plane. */
export function serverGauges({ figures, workers, watchers, memory }: ServerGaugesDeps): GaugeSpec[] {
  const one = (value: number) => ({ '': value });
  return [
    {
      name: 'headgate_queue_depth',
      help: 'Queued runs: ready to be claimed, or delayed until their start time.',
      label: 'state',
      read: async () => ({ ...(await figures()).depth }),
    },
    {
      name: 'headgate_queue_oldest_age_seconds',
      help: 'How long the first ready run has been waiting.',
      label: null,
      read: async () => one((await figures()).oldestReadyMs / 1_000),
    },
    {
      name: 'headgate_runs',
      help: 'Unfinished runs by status; headgate_runs_completed_total counts finished ones.',
      label: 'status',
      read: async () => ({ ...(await figures()).runs }),
    },
    {
      name: 'headgate_leases_active',
      help: 'Leases held by executors.',
      label: null,
      read: async () => one((await figures()).leases),
    },
    {
      name: 'headgate_executors',
      help: 'Registered executors: online, draining, or lost. A lost one counts for an hour, or until a new one of its name registers.',
      label: 'status',
      read: async () => ({ ...(await figures()).executors }),
    },
    {
      name: 'headgate_dead_letters_open',
      help: `Dead letters that nobody has replayed or discarded; more than ${OPEN_LETTERS_MAX} are not counted.`,
      label: null,
      read: async () => one((await figures()).openLetters),
    },
    {
      name: 'headgate_worker_tasks',
      help: 'Tasks of the worker pool of this process: queued or running.',
      label: 'state',
      read: () => {
        const { queued, running } = workers();
        return { queued, running };
      },
    },
    {
      name: 'headgate_worker_restarts',
      help: 'Restarts of the worker host of this process.',
      label: null,
      read: () => one(workers().restarts),
    },
    {
      name: 'headgate_memory_bytes',
      help: 'Memory by part: control_plane (resident), control_plane_heap (used), control_plane_young (set aside for objects of the moment; NODE_OPTIONS=--max-semi-space-size bounds it at twice its value), control_plane_native (outside of heap and buffers: page caches, code), sqlite_cache (what page caches can hold at the size of their files), worker_host and worker_host_drafts (resident; 0 while there is none).',
      label: 'part',
      read: memory.used,
    },
    {
      name: 'headgate_memory_limit_bytes',
      help: 'The limit of a part, where it has one: control_plane_heap (NODE_OPTIONS=--max-old-space-size), sqlite_cache (SVC_SQLITE_CACHE_MB for each connection), worker_host and worker_host_drafts (SVC_WORKER_THREADS and SVC_WORKER_MAX_HEAP_MB; beyond it, the host is replaced).',
      label: 'part',
      read: memory.limits,
    },
    {
      name: 'headgate_run_watchers',
      help: 'Event streams of runs that are open in this process.',
      label: null,
      read: () => one(watchers()),
    },
  ];
}
