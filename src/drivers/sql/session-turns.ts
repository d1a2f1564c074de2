import { ConnectorError } from '../driver.ts';

const waitingMax = 1_000;

/** Who may have a session of a connector: so many at once, the others in the order in which they came. */
export class SessionTurns {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(sessionsMax: number) {
    this.#free = sessionsMax;
  }

  /** Waits for a session to be free, no longer than the signal allows. Throws `UNAVAILABLE`. */
  async enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw cancelled(signal.reason);
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    if (this.#waiting.length >= waitingMax)
      throw new ConnectorError(
        'UNAVAILABLE',
        'Too many calls are waiting for this connector: raise "pool_size", or run fewer of them at once',
      );
    let enter: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      enter = resolve;
      this.#waiting.push(resolve);
    });
    try {
      await untilAborted(turn, signal);
    } catch (error) {
      const at = this.#waiting.indexOf(enter);
      // The turn came in the same moment: it is passed on.
      if (at >= 0) this.#waiting.splice(at, 1);
      else this.leave();
      throw cancelled(error);
    }
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

export function cancelled(cause: unknown): ConnectorError {
  return new ConnectorError('UNAVAILABLE', 'The call was cancelled', { cause });
}

/** The promise's outcome, or a rejection as soon as the signal aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody else waits for it.
    promise.catch(() => undefined);
    throw new Error('aborted');
  }
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(new Error('aborted'));
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
