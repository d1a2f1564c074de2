import type { Store } from '../../store/store.ts';

/** Shortest time between two notifications of one run: a flood of lines wakes its readers ten times a second at most. */
const NOTIFY_EVERY_MS = 100;

/** Notifies those who watch a run, on any control plane, that its log, progress or state has changed. Carries no data. */
export interface RunNotifications {
  /** Call it after the commit. Coalesced. */
  publish(runId: number): void;
  subscribe(runId: number, listener: () => void): () => void;
  /** Subscriptions on this control plane. */
  watchers(): number;
  close(): void;
}

export function createRunNotifications(store: Store): RunNotifications {
  const timers = new Map<number, NodeJS.Timeout>();
  let watchers = 0;
  const channel = (runId: number) => `run:${runId}`;
  return {
    publish(runId) {
      if (timers.has(runId)) return;
      const send = () => {
        timers.delete(runId);
        store.notify(channel(runId));
      };
      timers.set(runId, setTimeout(send, NOTIFY_EVERY_MS));
    },
    subscribe(runId, listener) {
      const unlisten = store.listen(channel(runId), listener);
      watchers += 1;
      let open = true;
      return () => {
        if (open) watchers -= 1;
        open = false;
        unlisten();
      };
    },
    watchers: () => watchers,
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
