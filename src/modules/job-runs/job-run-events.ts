import { WakeSignal } from '../../base/concurrency/wake-signal.ts';
import type { EventStream } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import { isActive } from '../runs/run.ts';
import type { RunNotifications } from '../runs/run-notifications.ts';
import { selectNodeStates } from '../runs/run-store.ts';
import { selectJobRunState } from './job-run-store.ts';

/** Notifications may be lost, and a node's first one comes before the node is watched: the stream also polls this often. */
const POLL_MS = 1_000;

/** Follows one job run: sends `status` when it changes, `run` when one of its task runs changes, and `end` last. */
export async function streamJobRun(
  stream: EventStream,
  id: number,
  { store, notifications }: { readonly store: Store; readonly notifications: RunNotifications },
): Promise<void> {
  const watched = new Map<number, () => void>();
  const wake = new WakeSignal();
  const shown = new Map<number | 'job_run', string>();
  const changed = (key: number | 'job_run', state: string) => {
    const before = shown.get(key);
    shown.set(key, state);
    return before !== state;
  };
  try {
    while (!stream.signal.aborted) {
      // Read before its runs: once it has ended, no run can be missing below.
      const jobRun = await selectJobRunState(store.read, id);
      if (jobRun === null) break;
      const { status, reason } = jobRun;
      const runs = await selectNodeStates(store.read, id);
      for (const run of runs) {
        if (!watched.has(run.id))
          watched.set(
            run.id,
            notifications.subscribe(run.id, () => wake.set()),
          );
        if (changed(run.id, `${run.status}/${run.reason}`)) await stream.send({ event: 'run', data: run });
      }
      if (changed('job_run', `${status}/${reason}`))
        await stream.send({ event: 'status', data: { id, status, reason } });
      if (!isActive(status)) {
        await stream.send({ event: 'end', data: { id, status, reason } });
        break;
      }
      await wake.wait(POLL_MS, stream.signal);
    }
  } finally {
    for (const unsubscribe of watched.values()) unsubscribe();
    stream.end();
  }
}
