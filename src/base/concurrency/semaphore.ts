/** A counting semaphore that nobody waits for: whoever finds no permit is refused. */
export class Semaphore {
  readonly #permitsMax: number;
  /** What is thrown where none is free, from the number of those that are taken. */
  readonly #refusal: (taken: number) => Error;
  #taken = 0;

  constructor(permitsMax: number, refusal: (taken: number) => Error) {
    this.#permitsMax = permitsMax;
    this.#refusal = refusal;
  }

  /** Takes a permit until it is released, once, by what this returns or by the signal's abort, whichever comes first. */
  acquire(signal: AbortSignal): () => void {
    if (this.#taken >= this.#permitsMax) throw this.#refusal(this.#taken);
    this.#taken += 1;
    let held = true;
    const release = () => {
      if (held) this.#taken -= 1;
      held = false;
      signal.removeEventListener('abort', release);
    };
    signal.addEventListener('abort', release);
    return release;
  }
}
