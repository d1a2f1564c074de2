import { AppError } from '../../base/errors.ts';

interface Entry {
  readonly call: () => Promise<void>;
  readonly reject: (error: unknown) => void;
}

/** These say something of the caller, not of one call. */
const OF_THE_CALLER: ReadonlySet<string> = new Set(['AUTH_ERROR', 'FORBIDDEN', 'PRECONDITION_FAILED']);

function neverSent(before: unknown): AppError {
  if (before instanceof AppError && OF_THE_CALLER.has(before.code)) return before;
  return new AppError('NOT_READY', 'The previous batch was not answered; send it again', {
    cause: before,
  });
}

/**
 * Calls that must arrive in order: one at a time in each lane, lanes beside one another. When a call fails, those that wait
 * behind it are not sent: they would only be answered by a gap.
 */
export class OrderedLanes {
  readonly #lanes = new Map<string, Entry[]>();
  #closing = false;
  #idle = Promise.withResolvers<void>();

  /** Resolves with the call's answer. `NOT_READY` once it is closing. */
  send<T>(lane: string, call: () => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(new AppError('NOT_READY', 'The client is closed'));
    return new Promise<T>((resolve, reject) => {
      const entry = { call: async () => resolve(await call()), reject };
      const waiting = this.#lanes.get(lane);
      if (waiting !== undefined) waiting.push(entry);
      else void this.#run(lane, [entry]);
    });
  }

  /** Takes no more; resolves when everything taken is answered. */
  close(): Promise<void> {
    this.#closing = true;
    if (this.#lanes.size === 0) this.#idle.resolve();
    return this.#idle.promise;
  }

  async #run(lane: string, entries: Entry[]): Promise<void> {
    this.#lanes.set(lane, entries);
    for (let entry = entries.shift(); entry !== undefined; entry = entries.shift()) {
      try {
        await entry.call();
      } catch (error) {
        entry.reject(error);
        for (const behind of entries.splice(0)) behind.reject(neverSent(error));
      }
    }
    this.#lanes.delete(lane);
    if (this.#closing && this.#lanes.size === 0) this.#idle.resolve();
  }
}
