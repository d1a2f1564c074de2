import { sleep } from '../../base/clock.ts';
import type { Db, Store, Tx } from '../../store/store.ts';

const ROWS_MIN = 20;
const ROWS_MAX = 1_000;
const ROWS_AT_FIRST = 200;
/** A piece's aim: in SQLite it holds up whatever else the server does. */
export const PIECE_MS = 15;

/** Deletes much in small transactions: each takes as many rows as took about 15 ms before, and is followed by a pause. */
export class Pieces {
  readonly #store: Store;
  readonly #signal: AbortSignal;
  #rows = ROWS_AT_FIRST;

  constructor(store: Store, signal: AbortSignal) {
    this.#store = store;
    this.#signal = signal;
  }

  get rows(): number {
    return this.#rows;
  }

  /** One transaction, then a pause as long as that: others get at least half of the time. */
  async one<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await this.#store.write(async (tx) => {
      await this.#store.dialect.preferIndexes(tx);
      return work(tx);
    }, 'deletion');
    await sleep(performance.now() - startedAt, this.#signal);
    return result;
  }

  /** Reads, then pauses as long: a look at many records would hold up the server too. */
  async look<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await work(this.#store.read);
    await sleep(performance.now() - startedAt, this.#signal);
    return result;
  }

  /** Calls `work` until it deletes less than it may, or the signal aborts. */
  async all(work: (tx: Tx, limit: number) => Promise<number>): Promise<void> {
    while (!this.#signal.aborted) {
      const limit = this.#rows;
      const startedAt = performance.now();
      const deleted = await this.one((tx) => work(tx, limit));
      // The pause is half of it. Waiting for other transactions counts too: then smaller pieces are right as well.
      if (deleted < limit) return;
      this.#resize((performance.now() - startedAt) / 2);
    }
  }

  #resize(ms: number): void {
    const fitting = (this.#rows * PIECE_MS) / Math.max(ms, 1);
    this.#rows = Math.round(Math.min(ROWS_MAX, Math.max(ROWS_MIN, Math.min(fitting, this.#rows * 2))));
  }
}
