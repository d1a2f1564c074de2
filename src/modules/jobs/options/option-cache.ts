import type { Clock } from '../../../base/clock.ts';
import { SharedWork } from '../../../base/concurrency/shared-work.ts';

export interface OptionCacheLimits {
  readonly keptMs: number;
  readonly pagesMax: number;
  /** Characters of all pages and their keys together. */
  readonly charsMax: number;
}

export const OPTION_CACHE_LIMITS: OptionCacheLimits = {
  keptMs: 10_000,
  pagesMax: 2_000,
  charsMax: 16_000_000,
};

interface Page {
  readonly text: string;
  readonly until: number;
}

/**
 * Pages of options for a few seconds: people type, go back, and open the same list together. Whoever asks for a page that is being
 * made waits for that one. A failure is not cached. Within this process only.
 */
export class OptionCache {
  readonly #clock: Clock;
  readonly #limits: OptionCacheLimits;
  /** In the order in which they go stale. */
  readonly #pages = new Map<string, Page>();
  readonly #making = new SharedWork<string>();
  #chars = 0;

  constructor(clock: Clock, limits: OptionCacheLimits = OPTION_CACHE_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Pages in the cache. */
  get size(): number {
    return this.#pages.size;
  }

  /** The page under `key`, made where it is not there; `make`'s signal aborts when nobody waits any more. */
  async page(
    key: string,
    signal: AbortSignal,
    make: (signal: AbortSignal) => Promise<string>,
  ): Promise<string> {
    const page = this.#pages.get(key);
    if (page !== undefined && page.until > this.#clock.now()) return page.text;
    return this.#making.join(key, signal, async (working) => {
      const text = await make(working);
      this.#add(key, text);
      return text;
    });
  }

  #add(key: string, text: string): void {
    this.#drop(key);
    this.#pages.set(key, { text, until: this.#clock.now() + this.#limits.keptMs });
    this.#chars += key.length + text.length;
    const now = this.#clock.now();
    for (const [oldest, { until }] of this.#pages) {
      const full = this.#pages.size > this.#limits.pagesMax || this.#chars > this.#limits.charsMax;
      if (!full && until > now) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const page = this.#pages.get(key);
    if (page === undefined) return;
    this.#pages.delete(key);
    this.#chars -= key.length + page.text.length;
  }
}
