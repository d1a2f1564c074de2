import { setTimeout as delay } from 'node:timers/promises';

/** A server that does not answer by then does not stop its statement any sooner. */
const WAIT_MS = 2_000;

/**
 * Requests to stop statements that are on their way. Who gave up does not wait for them; a process that ends with its connections does,
 * or it would leave statements behind that go on for nobody.
 */
export class PendingCancels {
  readonly #pending = new Set<Promise<void>>();

  /** `cancel` never rejects. */
  add(cancel: Promise<void>): void {
    this.#pending.add(cancel);
    void cancel.then(() => this.#pending.delete(cancel));
  }

  /** Resolves once all have been answered, at the latest after two seconds. */
  async settled(): Promise<void> {
    if (this.#pending.size === 0) return;
    const timer = new AbortController();
    const late = delay(WAIT_MS, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([Promise.all([...this.#pending]), late]);
    timer.abort();
  }
}
