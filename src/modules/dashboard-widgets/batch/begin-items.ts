import { sleep } from '../../../base/clock.ts';
import type { DashboardRow } from '../../dashboards/dashboard.ts';
import { NOTHING } from './group-calls.ts';
import type { BatchItem, BatchRequest, WidgetBatch } from './widget-batch.ts';

/** What is not there yet, where nobody waits for it. */
export const PENDING = '{"pending":true}';

/** An item that is computed. */
export interface BegunItem {
  readonly text: Promise<string>;
  /** The text once it is there. */
  made: string | null;
}

/** An item that nobody computes any more. */
export const NOTHING_BEGUN: BegunItem = { text: Promise.resolve(NOTHING), made: NOTHING };

/**
 * Begins to compute widgets, each text there as soon as it is. The computation is nobody's own: it goes on when those leave who wait
 * for it. Rejects, all of them, as `WidgetBatch.items`.
 */
export function beginItems(
  batch: WidgetBatch,
  row: DashboardRow,
  request: Omit<BatchRequest, 'signal' | 'onItem' | 'widgetIds'> & { readonly widgetIds: readonly string[] },
): ReadonlyMap<string, Promise<string>> {
  const begun = new Map(request.widgetIds.map((id) => [id, Promise.withResolvers<string>()]));
  const onItem = ([id, text]: BatchItem) => begun.get(id)?.resolve(text);
  batch.items(row, { ...request, onItem, signal: new AbortController().signal }).then(
    // Those that have their text keep it.
    () => {
      for (const { resolve } of begun.values()) resolve(NOTHING);
    },
    (error: unknown) => {
      for (const { reject } of begun.values()) reject(error);
    },
  );
  return new Map([...begun].map(([id, { promise }]) => [id, promise]));
}

/** Until all are there or the time is over, but not before one is there: no question is in vain. */
export async function untilSome(
  items: readonly BegunItem[],
  waitMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (items.every(({ made }) => made !== null)) return;
  const texts = items.map(({ text }) => text);
  const over = new AbortController();
  const given = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]);
  try {
    await Promise.race([Promise.all(texts), Promise.all([sleep(waitMs, given), Promise.race(texts)])]);
  } finally {
    over.abort();
  }
  signal?.throwIfAborted();
}
