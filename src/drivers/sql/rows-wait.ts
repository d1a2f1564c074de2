import { ConnectorError } from '../driver.ts';

/**
 * The time that a read waits for its next rows. A limit of the server counts the whole statement, and so the time that the rows take
 * behind it as well: a large table could not be read to its end.
 */
export class RowsWait {
  /** For the session of the read: aborts with the read, and when rows take too long. */
  readonly signal: AbortSignal;
  readonly #late = new AbortController();
  readonly #ms: number | null;
  readonly #setting: string;

  /** `ms` null: for as long as it takes, since the server counts. `setting`: the key of the configuration that says it. */
  constructor(signal: AbortSignal, ms: number | null, setting = 'statement_timeout_ms') {
    this.#ms = ms;
    this.#setting = setting;
    this.signal = AbortSignal.any([signal, this.#late.signal]);
  }

  /** Why the session was closed; null where rows came in time. */
  get fault(): ConnectorError | null {
    if (this.#ms === null || !this.#late.signal.aborted) return null;
    const seconds = this.#ms / 1_000;
    const message = `The database gave no rows for ${seconds} s, and the read was ended: see "${this.#setting}" of the connector`;
    return new ConnectorError('UNAVAILABLE', message);
  }

  /** The same batches, each waited for only so long. */
  async *timed<T>(batches: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (;;) {
        const timer = this.#ms === null ? undefined : setTimeout(() => this.#late.abort(), this.#ms);
        const next = await iterator.next().finally(() => clearTimeout(timer));
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }
}
