const ASSIGNED = 0;
const STARTED = 1;
const REVOKED = 2;

/** More than the calls that can be in flight; an entry is used again after so many attempts. */
const ENTRIES = 4_096;

/**
 * Shared memory in which a thread claims each attempt at a call before it starts it, and the host revokes those that a blocked
 * thread has not started: an attempt starts at most once, and the host knows exactly which calls a lost thread had begun.
 */
export class AttemptClaims {
  readonly memory: SharedArrayBuffer;
  readonly #entries: Int32Array;

  constructor(memory = new SharedArrayBuffer(ENTRIES * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#entries = new Int32Array(memory);
  }

  /** Host: before the attempt goes to its thread. */
  assign(attempt: number): void {
    Atomics.store(this.#entries, attempt % ENTRIES, ASSIGNED);
  }

  /** Thread: false when the attempt was revoked. */
  start(attempt: number): boolean {
    return Atomics.compareExchange(this.#entries, attempt % ENTRIES, ASSIGNED, STARTED) === ASSIGNED;
  }

  /** Host: whether a thread has started it. */
  hasStarted(attempt: number): boolean {
    return Atomics.load(this.#entries, attempt % ENTRIES) === STARTED;
  }

  /** Host: false when the attempt has started. */
  revoke(attempt: number): boolean {
    return Atomics.compareExchange(this.#entries, attempt % ENTRIES, ASSIGNED, REVOKED) === ASSIGNED;
  }
}
