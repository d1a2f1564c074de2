import type { WidgetResult } from './dashboard-payload.ts';

/** The results of one request; widgets that were not ready in time are `pending`. */
export type WidgetResults = Readonly<Record<string, WidgetResult & { readonly pending?: boolean }>>;
/** With the time of the response that it came in, in milliseconds since the epoch: the same for all widgets of one response. */
export type TimedResult = WidgetResult & { readonly answeredAt: number };
type Fetch = (widgetIds: readonly string[], waitMs: number) => Promise<WidgetResults>;
type Batch = readonly (readonly [string, Waiter[]])[];
type Waiter = { resolve(result: TimedResult): void; reject(error: unknown): void };

/** Widgets requested within this time share one request. */
const gatherMs = 12;
const batchWidgetsMax = 100;
/** Widgets slower than this do not delay the others. */
const waitMs = 500;

/**
 * Combines requests for single widgets into batches: whatever is requested within a few milliseconds is sent together, so widgets
 * with the same interval are polled as one group. Slow widgets do not delay the others: they are requested again. If a request
 * fails, all its widgets do.
 */
export function createWidgetBatcher(fetchBatch: Fetch): (widgetId: string) => Promise<TimedResult> {
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
      const answeredAt = Date.now();
      const pending = batch.filter(([id]) => results[id]?.pending === true);
      // Only if the response had something: otherwise this would repeat forever.
      const again = pending.length < batch.length ? pending : [];
      for (const entry of batch) if (!again.includes(entry)) resolve(entry, results, answeredAt);
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

function resolve([id, waiters]: Batch[number], results: WidgetResults, answeredAt: number): void {
  const { pending, ...result } = results[id] ?? { pending: true };
  const known = pending === true ? { error: '' } : result;
  for (const waiter of waiters) waiter.resolve({ ...known, answeredAt });
}
