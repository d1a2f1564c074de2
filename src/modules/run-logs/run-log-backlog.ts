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

/** The answer to a frame of a run that goes on past the window it was told. */
export function limited(retryAfterSeconds: number): AppError {
  const message = 'The run logs too fast; stay within the "window_bytes" of its acknowledgements';
  return new AppError('RATE_LIMITED', message, { retryAfterSeconds });
}

/** Counts the bytes that wait, so that a store which is slower than its executors bounds what is held in memory. */
export class LogBacklog {
  #bytes = 0;

  /** False where too much waits already; a frame that is alone is always taken. */
  take(bytes: number): boolean {
    if (this.#bytes > 0 && this.#bytes + bytes > LOG_BACKLOG_BYTES_MAX) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
