const PLACED = 0;
const STARTED = 1;
const REVOKED = 2;

/** More than the calls that can be in flight; a place is used again after so many calls. */
const PLACES = 4_096;

/**
 * Shared memory in which a thread claims each call before it starts, and the host revokes those that a blocked thread has
 * not started: a call starts at most once, and the host knows exactly which calls a lost thread had begun.
 */
export class StartBoard {
  readonly memory: SharedArrayBuffer;
  readonly #places: Int32Array;

  constructor(memory = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#places = new Int32Array(memory);
  }

  /** Host: before the call is given to its thread. */
  place(turn: number): void {
    Atomics.store(this.#places, turn % PLACES, PLACED);
  }

  /** Thread: false when the call was revoked. */
  start(turn: number): boolean {
    return Atomics.compareExchange(this.#places, turn % PLACES, PLACED, STARTED) === PLACED;
  }

  /** Host: false when the call has started. */
  revoke(turn: number): boolean {
    return Atomics.compareExchange(this.#places, turn % PLACES, PLACED, REVOKED) === PLACED;
  }
}
