import type { WidgetResult } from './dashboard-payload.ts';

type Fetch = (widgetIds: readonly string[]) => Promise<Readonly<Record<string, WidgetResult>>>;
type Waiter = { resolve(result: WidgetResult): void; reject(error: unknown): void };

/** Widgets whose turn comes within this time share one request. */
const gatherMs = 12;
const batchWidgetsMax = 100;

/**
 * Turns "give me this widget" into batch requests: whatever is asked for within a few milliseconds goes out
 * together, so widgets with the same interval are polled as one group. A failed request fails all its widgets.
 */
export function createWidgetBatcher(fetchBatch: Fetch): (widgetId: string) => Promise<WidgetResult> {
  let waiting = new Map<string, Waiter[]>();

  function send(): void {
    const all = [...waiting];
    waiting = new Map();
    for (let start = 0; start < all.length; start += batchWidgetsMax) {
      void settle(all.slice(start, start + batchWidgetsMax));
    }
  }

  async function settle(batch: readonly (readonly [string, Waiter[]])[]): Promise<void> {
    try {
      const results = await fetchBatch(batch.map(([id]) => id));
      for (const [id, waiters] of batch) {
        const result = results[id] ?? { error: 'The server sent nothing for this widget' };
        for (const waiter of waiters) waiter.resolve(result);
      }
    } catch (error) {
      for (const [, waiters] of batch) for (const waiter of waiters) waiter.reject(error);
    }
  }

  return (widgetId) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setTimeout(send, gatherMs);
      const waiters = waiting.get(widgetId);
      if (waiters) waiters.push({ resolve, reject });
      else waiting.set(widgetId, [{ resolve, reject }]);
    });
}
