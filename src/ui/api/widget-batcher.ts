import type { WidgetResult } from './dashboard-payload.ts';

/** Of one request: those that were not there in time are `pending`. */
export type WidgetResults = Readonly<Record<string, WidgetResult & { readonly pending?: boolean }>>;
type Fetch = (widgetIds: readonly string[], waitMs: number) => Promise<WidgetResults>;
type Batch = readonly (readonly [string, Waiter[]])[];
type Waiter = { resolve(result: WidgetResult): void; reject(error: unknown): void };

/** Widgets whose turn comes within this time share one request. */
const gatherMs = 12;
const batchWidgetsMax = 100;
/** Slower widgets than that are not waited for by those that are there. */
const waitMs = 500;

/**
 * Turns "give me this widget" into batch requests: whatever is asked for within a few milliseconds goes out
 * together, so widgets with the same interval are polled as one group. Slow widgets hold up no others: they are asked for again. A
 * failed request fails all its widgets.
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

  async function settle(batch: Batch): Promise<void> {
    try {
      const results = await fetchBatch(
        batch.map(([id]) => id),
        waitMs,
      );
      const pending = batch.filter(([id]) => results[id]?.pending === true);
      // Each answer brings something: one that does not would only be asked for again and again.
      const again = pending.length < batch.length ? pending : [];
      for (const entry of batch) if (!again.includes(entry)) resolve(entry, results);
      if (again.length > 0) void settle(again);
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

function resolve([id, waiters]: Batch[number], results: WidgetResults): void {
  const { pending, ...result } = results[id] ?? { pending: true };
  const known = pending === true ? { error: 'The server sent nothing for this widget' } : result;
  for (const waiter of waiters) waiter.resolve(known);
}
