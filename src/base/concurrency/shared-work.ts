interface Work<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
  ended: boolean;
}

/**
 * Work that several ask for at once: begun once per key, its result given to everyone who joined meanwhile, ended when the last
 * of them has left. Nothing is kept after its end. Within this process only.
 */
export class SharedWork<T> {
  readonly #running = new Map<string, Work<T>>();

  /** Keys that are being worked on. */
  get size(): number {
    return this.#running.size;
  }

  /**
   * The result of the work under `key`, which `begin` starts where none is running. Rejects with the work's own error, or with the
   * signal's reason as soon as it aborts; `begin`'s signal aborts when nobody waits any more.
   */
  async join(key: string, signal: AbortSignal, begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const work = this.#running.get(key) ?? this.#begin(key, begin);
    work.waiting += 1;
    try {
      return await unlessAborted(work.result, signal);
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0 && !work.ended) {
        this.#forget(key, work);
        work.controller.abort(new Error('Nobody waits for this any more'));
      }
    }
  }

  #begin(key: string, begin: (signal: AbortSignal) => Promise<T>): Work<T> {
    const controller = new AbortController();
    const result = (async () => begin(controller.signal))();
    const work: Work<T> = { result, controller, waiting: 0, ended: false };
    this.#running.set(key, work);
    // Whoever joins after the end begins anew. A failure that nobody waits for is nobody's.
    const ended = () => {
      work.ended = true;
      this.#forget(key, work);
    };
    result.then(ended, ended);
    return work;
  }

  #forget(key: string, work: Work<T>): void {
    if (this.#running.get(key) === work) this.#running.delete(key);
  }
}

/** Settles as `result` does, or rejects with the reason of `signal` as soon as it aborts; not for one that has aborted already. */
export function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
