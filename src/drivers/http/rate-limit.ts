import { setTimeout as sleep } from 'node:timers/promises';

/** At most `requests` in any `per_ms`; the others wait for their place, in order. */
export class RateLimit {
  readonly #requests: number;
  readonly #perMs: number;
  /** When the last `requests` began, the oldest first. */
  #begun: number[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor({ requests, per_ms }: { readonly requests: number; readonly per_ms: number }) {
    this.#requests = requests;
    this.#perMs = per_ms;
  }

  take(signal: AbortSignal): Promise<void> {
    const mine = this.#last.then(() => this.#wait(signal));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.#begun = this.#begun.filter((at) => at > now - this.#perMs);
    const [oldest] = this.#begun;
    if (oldest !== undefined && this.#begun.length >= this.#requests) {
      await sleep(Math.max(0, oldest + this.#perMs - now), undefined, { signal });
      this.#begun.shift();
    }
    this.#begun.push(performance.now());
  }
}
