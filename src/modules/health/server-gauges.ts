import type { GaugeSpec } from '../../metering/prometheus-meter.ts';
import type { QueueFigures } from './queue-figures.ts';

export interface ServerGaugesDeps {
  readonly figures: () => Promise<QueueFigures>;
  /** Figures of the worker pool. */
  readonly workers: () => { readonly queued: number; readonly running: number; readonly restarts: number };
  /** Clients that follow a run at this control plane. */
  readonly watchers: () => number;
}

/** Read when `GET /metrics` is called. The figures of the queue come from the store: they are the same at every control plane. */
export function serverGauges({ figures, workers, watchers }: ServerGaugesDeps): GaugeSpec[] {
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
      help: 'Registered executors: online, draining, or lost.',
      label: 'status',
      read: async () => ({ ...(await figures()).executors }),
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
      name: 'headgate_run_watchers',
      help: 'Event streams of runs that are open in this process.',
      label: null,
      read: () => one(watchers()),
    },
  ];
}
