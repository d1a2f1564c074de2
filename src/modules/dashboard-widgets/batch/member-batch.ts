import { LRUCache } from 'lru-cache';
import { sleep } from '../../../base/clock.ts';
import { type DashboardRow, documentKey } from '../../dashboards/dashboard.ts';
import { NOTHING } from './group-calls.ts';
import { type BatchItem, batchText, type WidgetBatch } from './widget-batch.ts';

/** Items that were begun in time and are not asked for again. */
const BEGUN_MAX = 5_000;
const BEGUN_MS_MAX = 60_000;
const PENDING = '{"pending":true}';

export interface MemberBatchRequest {
  /** Whose answers they are: nobody else gets what was begun for them. */
  readonly viewer: string;
  /** Default: all widgets with data. */
  readonly widgetIds: readonly string[] | undefined;
  /** As in `WidgetViewer`. */
  readonly inputRefusal: string | null;
  /** After so many milliseconds, and as soon as anything is there, what is not is `pending`. */
  readonly waitMs: number;
}

interface Begun {
  readonly text: Promise<string>;
  /** The text once it is there. */
  made: string | null;
}

/**
 * Answers members who do not wait for the slowest widget. What is not ready in time is computed on, and is the answer when the same
 * member asks for it again; each item is given once, so whoever refreshes gets fresh data.
 */
export class MemberBatch {
  readonly #batch: WidgetBatch;
  readonly #begun = new LRUCache<string, Begun>({ max: BEGUN_MAX, ttl: BEGUN_MS_MAX });

  constructor(batch: WidgetBatch) {
    this.#batch = batch;
  }

  /** The answer's JSON text. Rejects as `WidgetBatch.items`; a client that leaves ends the wait, and not the work. */
  async run(row: DashboardRow, request: MemberBatchRequest, signal: AbortSignal): Promise<string> {
    const { viewer, inputRefusal, widgetIds, waitMs } = request;
    const ids = this.#batch.choose(row, { widgetIds, publicView: false }).map(({ id }) => id);
    const keyOf = (id: string) => JSON.stringify([viewer, documentKey(row), inputRefusal === null, id]);
    const missing = ids.filter((id) => !this.#begun.has(keyOf(id)));
    if (missing.length > 0) this.#compute(row, missing, keyOf, inputRefusal);
    const items = ids.map((id) => this.#begun.get(keyOf(id)) ?? NOTHING_BEGUN);
    await inTime(items, waitMs, signal);
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
    inputRefusal: string | null,
  ): void {
    const begun = new Map(widgetIds.map((id) => [id, Promise.withResolvers<string>()]));
    for (const [id, { promise }] of begun) {
      const entry: Begun = { text: promise, made: null };
      this.#begun.set(keyOf(id), entry);
      promise.then(
        (text) => {
          entry.made = text;
        },
        () => this.#begun.delete(keyOf(id)),
      );
    }
    const request = {
      widgetIds,
      publicView: false,
      inputRefusal,
      onItem: ([id, text]: BatchItem) => begun.get(id)?.resolve(text),
      signal: new AbortController().signal,
    };
    this.#batch.items(row, request).then(
      () => {
        for (const { resolve } of begun.values()) resolve(NOTHING);
      },
      (error: unknown) => {
        for (const { reject } of begun.values()) reject(error);
      },
    );
  }
}

const NOTHING_BEGUN: Begun = { text: Promise.resolve(NOTHING), made: NOTHING };

/** Until all are there or the time is over, but not before one is there: no question is in vain. */
async function inTime(items: readonly Begun[], waitMs: number, signal: AbortSignal): Promise<void> {
  if (items.every(({ made }) => made !== null)) return;
  const all = Promise.all(items.map(({ text }) => text));
  const over = new AbortController();
  const given = AbortSignal.any([signal, over.signal]);
  try {
    const first = Promise.race(items.map(({ text }) => text));
    await Promise.race([all, Promise.all([sleep(waitMs, given), first])]);
  } finally {
    over.abort();
  }
  signal.throwIfAborted();
}
