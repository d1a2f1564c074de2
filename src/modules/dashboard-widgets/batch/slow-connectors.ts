import type { Clock } from '../../../base/clock.ts';

/** A call that takes this long marks its connector as slow; the next quicker one removes the mark. */
const SLOW_MS = 5_000;
/** Calls of a slow connector at once, those of all batches together. */
const SLOW_CALLS_MAX = 4;

interface State {
  atWork: number;
  slow: boolean;
  readonly waiting: Set<() => void>;
}

/**
 * Keeps a connector that does not answer from taking the worker host from all the others: while its calls are slow, few of them
 * are made at once, however many dashboards ask. Within this process only.
 */
export class SlowConnectors {
  readonly #clock: Clock;
  readonly #states = new Map<number, State>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Does `work` when its connector may have another call. Rejects as `work` does, or with the signal's reason where that comes before. */
  async run<T>(connectorId: number, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const state = this.#stateOf(connectorId);
    while (state.slow && state.atWork >= SLOW_CALLS_MAX) await permitted(state, signal);
    state.atWork += 1;
    const begunAt = this.#clock.now();
    try {
      return await work();
    } finally {
      const tookMs = this.#clock.now() - begunAt;
      // One that was given up early says nothing.
      if (tookMs >= SLOW_MS || !signal.aborted) state.slow = tookMs >= SLOW_MS;
      state.atWork -= 1;
      this.#wake(connectorId, state);
    }
  }

  #stateOf(connectorId: number): State {
    const known = this.#states.get(connectorId);
    if (known !== undefined) return known;
    const state: State = { atWork: 0, slow: false, waiting: new Set() };
    this.#states.set(connectorId, state);
    return state;
  }

  #wake(connectorId: number, state: State): void {
    if (!state.slow && state.atWork === 0 && state.waiting.size === 0) this.#states.delete(connectorId);
    const next = [...state.waiting].slice(0, state.slow ? 1 : state.waiting.size);
    for (const begin of next) begin();
  }
}

/** Resolves when another call may be permitted. */
function permitted(state: State, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      state.waiting.delete(begin);
      signal.removeEventListener('abort', abort);
    };
    const begin = () => {
      leave();
      resolve();
    };
    const abort = () => {
      leave();
      reject(signal.reason);
    };
    signal.throwIfAborted();
    state.waiting.add(begin);
    signal.addEventListener('abort', abort, { once: true });
  });
}
