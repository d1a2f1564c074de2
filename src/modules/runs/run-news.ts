import type { Store } from '../../store/store.ts';

/** Between two notifications of one run: a flood of lines wakes its readers ten times a second, not a thousand. */
const NEWS_EVERY_MS = 100;

/** Tells whoever watches a run, on any control plane, that its log, progress or state has moved on. News carries nothing. */
export interface RunNews {
  /** After the commit. Coalesced. */
  publish(runId: number): void;
  subscribe(runId: number, listener: () => void): () => void;
  close(): void;
}

export function createRunNews(store: Store): RunNews {
  const timers = new Map<number, NodeJS.Timeout>();
  const channel = (runId: number) => `run:${runId}`;
  return {
    publish(runId) {
      if (timers.has(runId)) return;
      const send = () => {
        timers.delete(runId);
        store.notify(channel(runId));
      };
      timers.set(runId, setTimeout(send, NEWS_EVERY_MS));
    },
    subscribe: (runId, listener) => store.listen(channel(runId), listener),
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
