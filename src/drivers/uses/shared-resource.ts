interface Made {
  readonly value: Promise<unknown>;
  readonly close: (value: never) => Promise<void>;
}

/**
 * What all connections of one connector share while a run lasts, whatever step opens them: of an API its limit of rate, its token and its
 * open sockets.
 */
export class SharedResource {
  #made: Made | null = null;

  /** What `make` gave the first time that it did; `close` is called with it once the run has ended. */
  async take<T>(make: () => Promise<T>, close: (value: T) => Promise<void>): Promise<T> {
    const made: Made = this.#made ?? { value: make(), close };
    this.#made = made;
    try {
      return (await made.value) as T;
    } catch (error) {
      if (this.#made === made) this.#made = null;
      throw error;
    }
  }

  /** Nobody uses it any more. */
  async close(): Promise<void> {
    const made = this.#made;
    this.#made = null;
    if (made === null) return;
    const value = await made.value.catch(() => undefined);
    if (value !== undefined) await made.close(value as never);
  }
}
