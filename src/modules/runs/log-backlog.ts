import { AppError } from '../../base/errors.ts';

/** Frames that wait for their commit, together: beyond it executors wait too, with what they have in their spools. */
export const LOG_BACKLOG_BYTES_MAX = 64 * 1_048_576;

/** The answer to a frame of which it is not known that it was stored. */
export function notStored(cause?: unknown): AppError {
  return new AppError('NOT_READY', 'The log could not be stored; send it again', {
    cause,
    retryAfterSeconds: 1,
  });
}

/** Counts the bytes that wait, so that a store which is slower than its executors bounds what is held in memory. */
export class LogBacklog {
  #bytes = 0;

  /** Runs `work` with `bytes` counted until it settles. `NOT_READY` where too much waits already. */
  async hold<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (this.#bytes > 0 && this.#bytes + bytes > LOG_BACKLOG_BYTES_MAX) throw notStored();
    this.#bytes += bytes;
    try {
      return await work();
    } finally {
      this.#bytes -= bytes;
    }
  }
}
