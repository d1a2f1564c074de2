/** How often something may happen: `burst` at once, `perSecond` for ever. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Counts events against a rate. */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #at: number;

  /** `now`: monotonic milliseconds. */
  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** False where it is one too many. */
  take(now: number): boolean {
    const { burst, perSecond } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#at) * perSecond) / 1_000);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
