/** Wakes one waiter. A call that comes while nobody waits is remembered, so that no notification is missed between two waits. */
export class WakeSignal {
  #isSet = false;
  #wake: (() => void) | null = null;

  set(): void {
    this.#isSet = true;
    this.#wake?.();
  }

  /** Resolves after `set`, after `ms`, or when `signal` aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#isSet && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, ms);
        this.#wake = done;
        signal.addEventListener('abort', done, { once: true });
      });
    }
    this.#wake = null;
    this.#isSet = false;
  }
}
