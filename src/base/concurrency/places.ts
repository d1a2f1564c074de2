/** A bounded number of places that work takes while it goes on. */
export class Places {
  readonly #placesMax: number;
  /** What is thrown where none is free; told how many are taken. */
  readonly #refusal: (taken: number) => Error;
  #taken = 0;

  constructor(placesMax: number, refusal: (taken: number) => Error) {
    this.#placesMax = placesMax;
    this.#refusal = refusal;
  }

  /** Takes a place until it is given back, once, by what this returns or by the signal's abort, whichever comes first. */
  take(signal: AbortSignal): () => void {
    if (this.#taken >= this.#placesMax) throw this.#refusal(this.#taken);
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
