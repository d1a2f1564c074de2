import type { Batch } from '../../drivers/driver.ts';
import type { EngineFile, RowsCopy, Whole } from '../../drivers/engine-file.ts';

/** Batches that may wait between two stages of a pipeline. */
export const QUEUE_BATCHES_MAX = 2;

/** What the consumer of a link may take in place of batches. */
export type Takes = 'file' | 'copy' | null;

interface Waiter<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * The link between one producer and one consumer of batches. States: `open`, until `close` (no more batches; those inside
 * are still handed out), `fail` (both sides reject) or `discard` (the consumer has gone: batches are dropped, so that the
 * producer's other consumers continue).
 */
export class BatchQueue {
  #state: 'open' | 'closed' | 'failed' | 'discarding' = 'open';
  #error: unknown;
  readonly #batches: Batch[] = [];
  #producer: Waiter<void> | null = null;
  #consumer: Waiter<Batch | null> | null = null;
  /** What the producer has to say before its first batch; see `offer`. */
  readonly #offered = Promise.withResolvers<Whole | null>();
  readonly #answered = Promise.withResolvers<number | null>();

  /** Where it is not null, the producer says what it has by `offer`, `push` or `close`. */
  readonly takes: Takes;

  constructor(takes: Takes = null) {
    this.takes = takes;
    // Most links have neither.
    this.#offered.promise.catch(() => undefined);
    this.#answered.promise.catch(() => undefined);
  }

  /** The producer has what the consumer takes in place of rows; resolves with its rows, or null where they must be pushed all the same. */
  offer(whole: Whole): Promise<number | null> {
    this.#offered.resolve(whole);
    return this.#answered.promise;
  }

  /** The file that was offered; null where batches come instead. */
  get offeredFile(): Promise<EngineFile | null> {
    return this.#offered.promise.then((whole) => (whole?.format === 'copy' ? null : whole));
  }

  /** The copy that was offered; null where batches come instead. */
  get offeredCopy(): Promise<RowsCopy | null> {
    return this.#offered.promise.then((whole) => (whole?.format === 'copy' ? whole : null));
  }

  answer(rows: number | null): void {
    this.#answered.resolve(rows);
  }

  /** `undefined` where there is room; else a promise that resolves when there is. */
  push(batch: Batch): Promise<void> | undefined {
    this.#offered.resolve(null);
    if (this.#state === 'discarding') return undefined;
    if (this.#state === 'failed') return Promise.reject(this.#error);
    const consumer = this.#consumer;
    if (consumer !== null) {
      this.#consumer = null;
      consumer.resolve(batch);
      return undefined;
    }
    this.#batches.push(batch);
    if (this.#batches.length < QUEUE_BATCHES_MAX) return undefined;
    return new Promise((resolve, reject) => {
      this.#producer = { resolve, reject };
    });
  }

  /** The next batch, or null after `close`. */
  next(): Promise<Batch | null> {
    if (this.#state === 'failed') return Promise.reject(this.#error);
    const batch = this.#batches.shift();
    if (batch !== undefined) {
      this.#release();
      return Promise.resolve(batch);
    }
    if (this.#state !== 'open') return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      this.#consumer = { resolve, reject };
    });
  }

  close(): void {
    this.#offered.resolve(null);
    if (this.#state !== 'open') return;
    this.#state = 'closed';
    this.#consumer?.resolve(null);
    this.#consumer = null;
  }

  discard(): void {
    this.#offered.resolve(null);
    this.#answered.resolve(null);
    if (this.#state === 'failed') return;
    this.#state = 'discarding';
    this.#batches.length = 0;
    this.#release();
  }

  fail(error: unknown): void {
    if (this.#state === 'failed') return;
    this.#state = 'failed';
    this.#offered.reject(error);
    this.#answered.reject(error);
    this.#error = error;
    this.#batches.length = 0;
    this.#consumer?.reject(error);
    this.#consumer = null;
    this.#producer?.reject(error);
    this.#producer = null;
  }

  #release(): void {
    this.#producer?.resolve();
    this.#producer = null;
  }
}
