import type { EventStream } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import { isActive } from '../runs/run.ts';
import type { RunNews } from '../runs/run-news.ts';
import { selectNodeStates } from '../runs/run-store.ts';
import { selectJobRunState } from './job-run-store.ts';

/** News may be lost, and a node's first news comes before it is known: the stream looks by itself this often. */
const POLL_MS = 1_000;

/** Follows one job run: `status` when it changes, `run` when one of its task runs does, and `end` last. */
export async function streamJobRun(
  stream: EventStream,
  id: number,
  { store, news }: { readonly store: Store; readonly news: RunNews },
): Promise<void> {
  const watched = new Map<number, () => void>();
  const bell = new Bell();
  const shown = new Map<number | 'job_run', string>();
  const changed = (key: number | 'job_run', state: string) => {
    const before = shown.get(key);
    shown.set(key, state);
    return before !== state;
  };
  try {
    while (!stream.signal.aborted) {
      // Before its runs: what has ended has no run that is not seen below.
      const jobRun = await selectJobRunState(store.read, id);
      if (jobRun === null) break;
      const { status, reason } = jobRun;
      const runs = await selectNodeStates(store.read, id);
      for (const run of runs) {
        if (!watched.has(run.id))
          watched.set(
            run.id,
            news.subscribe(run.id, () => bell.ring()),
          );
        if (changed(run.id, `${run.status}/${run.reason}`)) await stream.send({ event: 'run', data: run });
      }
      if (changed('job_run', `${status}/${reason}`))
        await stream.send({ event: 'status', data: { id, status, reason } });
      if (!isActive(status)) {
        await stream.send({ event: 'end', data: { id, status, reason } });
        break;
      }
      await bell.wait(POLL_MS, stream.signal);
    }
  } finally {
    for (const unsubscribe of watched.values()) unsubscribe();
    stream.end();
  }
}

/** Remembers one ring: news that comes while the reader works is not missed. */
class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#rung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        this.#wake = done;
        signal.addEventListener('abort', done, { once: true });
      });
    }
    this.#wake = null;
    this.#rung = false;
  }
}
