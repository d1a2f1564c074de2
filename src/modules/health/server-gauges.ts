import type { GaugeSpec } from '../../metering/prometheus-meter.ts';
import type { QueueFigures } from './queue-figures.ts';

export interface ServerGaugesDeps {
  readonly figures: () => Promise<QueueFigures>;
  /** Of the worker pool. */
  readonly workers: () => { readonly queued: number; readonly running: number; readonly restarts: number };
  /** Clients that follow a run at this control plane. */
  readonly watchers: () => number;
}

/** What is looked up when `GET /metrics` is asked. Figures of the queue are the store's: the same at every control plane. */
export function serverGauges({ figures, workers, watchers }: ServerGaugesDeps): GaugeSpec[] {
  const one = (value: number) => ({ '': value });
  return [
    {
      name: 'headgate_queue_depth',
      help: 'Queued runs: ready to be claimed, or delayed until their time.',
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
      help: 'Runs that have not ended, by status; headgate_runs_completed_total counts those that have.',
      label: 'status',
      read: async () => ({ ...(await figures()).runs }),
    },
    {
      name: 'headgate_leases_active',
      help: 'Leases that executors hold.',
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
      help: 'Times that the worker host of this process has been started anew.',
      label: null,
      read: () => one(workers().restarts),
    },
    {
      name: 'headgate_run_watchers',
      help: 'Event streams of runs that are open at this process.',
      label: null,
      read: () => one(watchers()),
    },
  ];
}
