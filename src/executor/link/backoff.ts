import { sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';

export interface BackoffOptions {
  readonly minMs: number;
  readonly maxMs: number;
  /** 0 to 1. */
  readonly random: () => number;
}

/** Waits between attempts with full jitter, so that many executors do not come back at once. `reset` after a success. */
export class Backoff {
  readonly #options: BackoffOptions;
  #attempt = 0;
  readonly #waiting = new Set<AbortController>();

  constructor(options: BackoffOptions) {
    this.#options = options;
  }

  reset(): void {
    this.#attempt = 0;
  }

  /** Ends the waits under way: whatever was failing may succeed now. */
  wake(): void {
    this.reset();
    for (const waiting of this.#waiting) waiting.abort();
  }

  /** Waits for the next attempt, or as long as `error` asks for; ends early on `wake` or when `signal` aborts. */
  async wait(signal: AbortSignal, error?: unknown): Promise<void> {
    const { minMs, maxMs, random } = this.#options;
    const boundMs = Math.min(maxMs, minMs * 2 ** Math.min(this.#attempt, 30));
    this.#attempt += 1;
    const askedMs = error instanceof AppError ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
    const waiting = new AbortController();
    this.#waiting.add(waiting);
    const ms = Math.min(maxMs, askedMs) + random() * boundMs;
    await sleep(ms, AbortSignal.any([signal, waiting.signal]));
    this.#waiting.delete(waiting);
  }
}
