import { AppError, type ErrorCode } from '../../base/errors.ts';
import type { Backoff } from './backoff.ts';

/**
 * Failures that pass by themselves. The session's loop registers again after `AUTH_ERROR`, so that a later attempt has a
 * valid token; `PRECONDITION_FAILED` is a call before that.
 */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'NOT_READY',
  'RATE_LIMITED',
  'CONFLICT',
  'AUTH_ERROR',
  'PRECONDITION_FAILED',
]);

/** A fault of the control plane may be one message's; it is tried this often. */
export const INTERNAL_ERROR_TRIES_MAX = 5;

export function passesByItself(error: unknown): boolean {
  return error instanceof AppError && PASSING.has(error.code);
}

/**
 * Calls until it succeeds, `signal` aborts (then it rejects with the signal's reason), or it fails in a way that does not
 * pass. `call` gets the number of earlier tries.
 */
export async function retryCall<T>(
  call: (tries: number) => Promise<T>,
  backoff: Backoff,
  signal: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    signal.throwIfAborted();
    try {
      return await call(tries);
    } catch (error) {
      const internal = error instanceof AppError && error.code === 'INTERNAL_ERROR';
      const again = passesByItself(error) || (internal && tries + 1 < INTERNAL_ERROR_TRIES_MAX);
      if (!again) throw error;
      await backoff.wait(signal, error);
    }
  }
}
