import { LRUCache } from 'lru-cache';
import type { FilterTexts } from '../../../language/dashboard/filters/filter-values.ts';
import { type DashboardRow, documentKey } from '../../dashboards/dashboard.ts';
import { type BegunItem, beginItems, NOTHING_BEGUN, PENDING, untilSome } from './begin-items.ts';
import { type BatchItem, batchText, type WidgetBatch } from './widget-batch.ts';

/** Items that were begun in time and are not asked for again. */
const BEGUN_MAX = 5_000;
const BEGUN_MS_MAX = 60_000;

export interface MemberBatchRequest {
  /** Whose answers they are: nobody else gets what was begun for them. */
  readonly viewer: string;
  /** Default: all widgets with data. */
  readonly widgetIds: readonly string[] | undefined;
  /** As in `WidgetViewer`. */
  readonly inputRefusal: string | null;
  /** As in `BatchRequest`. */
  readonly filter?: FilterTexts | undefined;
  /** After so many milliseconds, and as soon as anything is there, what is not is `pending`. */
  readonly waitMs: number;
}

/**
 * Answers members who do not wait for the slowest widget. What is not ready in time is computed on, and is the answer when the same
 * member asks for it again; each item is given once, so whoever refreshes gets fresh data.
 */
export class MemberBatch {
  readonly #batch: WidgetBatch;
  readonly #begun = new LRUCache<string, BegunItem>({ max: BEGUN_MAX, ttl: BEGUN_MS_MAX });

  constructor(batch: WidgetBatch) {
    this.#batch = batch;
  }

  /** The answer's JSON text. Rejects as `WidgetBatch.items`; a client that leaves ends the wait, and not the work. */
  async run(row: DashboardRow, request: MemberBatchRequest, signal: AbortSignal): Promise<string> {
    const { viewer, inputRefusal, filter, widgetIds, waitMs } = request;
    const ids = this.#batch.choose(row, { widgetIds, publicView: false }).map(({ id }) => id);
    const keyOf = (id: string) =>
      JSON.stringify([viewer, documentKey(row), inputRefusal === null, filter, id]);
    const missing = ids.filter((id) => !this.#begun.has(keyOf(id)));
    if (missing.length > 0) this.#compute(row, missing, keyOf, request);
    const items = ids.map((id) => this.#begun.get(keyOf(id)) ?? NOTHING_BEGUN);
    await untilSome(items, waitMs, signal);
    const answer = ids.map((id, index): BatchItem => {
      const made = items[index]?.made ?? null;
      if (made !== null) this.#begun.delete(keyOf(id));
      return [id, made ?? PENDING];
    });
    return batchText(answer);
  }

  #compute(
    row: DashboardRow,
    widgetIds: readonly string[],
    keyOf: (id: string) => string,
    { inputRefusal, filter }: MemberBatchRequest,
  ): void {
    const request = { widgetIds, publicView: false, inputRefusal, filter };
    for (const [id, text] of beginItems(this.#batch, row, request)) {
      const entry: BegunItem = { text, made: null };
      this.#begun.set(keyOf(id), entry);
      text.then(
        (made) => {
          entry.made = made;
        },
        () => this.#begun.delete(keyOf(id)),
      );
    }
  }
}
