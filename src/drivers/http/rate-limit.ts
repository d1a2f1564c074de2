import { setTimeout as sleep } from 'node:timers/promises';
import { unlessAborted } from '../../base/concurrency/shared-work.ts';

interface RateLimitOptions {
  /** Default: any number. */
  readonly requests?: number | undefined;
  readonly per_ms: number;
  /** Default: any number. */
  readonly concurrency?: number | undefined;
}

/** At most `requests` in any `per_ms`, and at most `concurrency` at a time; the others wait for their place, in order. */
export class RateLimit {
  readonly #requests: number;
  readonly #perMs: number;
  readonly #concurrency: number;
  /** When the last `requests` began, the oldest first. */
  #begun: number[] = [];
  #last: Promise<void> = Promise.resolve();
  #running = 0;
  #ended = Promise.withResolvers<void>();

  constructor({ requests = Number.POSITIVE_INFINITY, per_ms, concurrency }: RateLimitOptions) {
    this.#requests = requests;
    this.#perMs = per_ms;
    this.#concurrency = concurrency ?? Number.POSITIVE_INFINITY;
  }

  /** Rejects as `work` does, or with the reason of `signal`, which ends the wait. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(() => this.#wait(signal));
    this.#last = mine.catch(() => undefined);
    await mine;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    while (this.#running >= this.#concurrency) {
      signal.throwIfAborted();
      await unlessAborted(this.#ended.promise, signal);
    }
    if (this.#requests !== Number.POSITIVE_INFINITY) {
      const now = performance.now();
      this.#begun = this.#begun.filter((at) => at > now - this.#perMs);
      const [oldest] = this.#begun;
      if (oldest !== undefined && this.#begun.length >= this.#requests) {
        await sleep(Math.max(0, oldest + this.#perMs - now), undefined, { signal });
        this.#begun.shift();
      }
      this.#begun.push(performance.now());
    }
    signal.throwIfAborted();
    this.#running++;
  }
}
