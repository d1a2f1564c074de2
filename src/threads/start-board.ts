const PLACED = 0;
const STARTED = 1;
const REVOKED = 2;

/** More than the tasks that can be in flight; a place is used again after so many tasks. */
const PLACES = 4_096;

/**
 * Shared memory in which a thread claims each task before it starts, and the host revokes those that a blocked thread has
 * not started: a task starts at most once, and the host knows exactly which tasks a lost thread had begun.
 */
export class StartBoard {
  readonly memory: SharedArrayBuffer;
  readonly #places: Int32Array;

  constructor(memory = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#places = new Int32Array(memory);
  }

  /** Host: before the task is given to its thread. */
  place(turn: number): void {
    Atomics.store(this.#places, turn % PLACES, PLACED);
  }

  /** Thread: false when the task was revoked. */
  start(turn: number): boolean {
    return Atomics.compareExchange(this.#places, turn % PLACES, PLACED, STARTED) === PLACED;
  }

  /** Host: false when the task has started. */
  revoke(turn: number): boolean {
    return Atomics.compareExchange(this.#places, turn % PLACES, PLACED, REVOKED) === PLACED;
  }
}
