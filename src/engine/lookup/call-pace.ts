import { sleep } from '../../base/clock.ts';

/** Lets calls begin one after another, at least `everyMs` apart, whatever becomes of the machine's clock; 0: at once. */
export class CallPace {
  readonly #everyMs: number;
  #at = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** Resolves when the next call may begin; rejects with the signal's reason. */
  async next(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#everyMs === 0) return;
    const now = performance.now();
    const at = Math.max(now, this.#at);
    this.#at = at + this.#everyMs;
    if (at > now) await sleep(at - now, signal);
    signal.throwIfAborted();
  }
}
