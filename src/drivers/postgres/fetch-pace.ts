import { charsOf } from '../row-limits.ts';

/** So many times the rows of one fetch are asked for by the next, at most: the rows to come may be longer than those that came. */
const GROWTH_MAX = 8;

/**
 * How many rows to fetch at once, so that they hold about `bytes`. The server sends what it is asked for, whatever its length, so the
 * first fetch asks for one row, and each later one for as many as those before it were short. Without a bound always `rowsMax`.
 */
export class FetchPace {
  readonly #rowsMax: number;
  readonly #bytes: number | null;
  #rows: number;

  constructor(rowsMax: number, bytes: number | null) {
    this.#rowsMax = rowsMax;
    this.#bytes = bytes;
    this.#rows = bytes === null ? rowsMax : 1;
  }

  /** Of the next fetch. */
  get rows(): number {
    return this.#rows;
  }

  /** The rows of the last one. */
  see(rows: readonly unknown[]): void {
    if (this.#bytes === null || rows.length === 0) return;
    const mean = Math.max(1, charsOf(rows, Number.POSITIVE_INFINITY) / rows.length);
    const fitting = Math.floor(this.#bytes / mean);
    this.#rows = Math.max(1, Math.min(fitting, this.#rows * GROWTH_MAX, this.#rowsMax));
  }
}
