import type { Test } from 'tap';
import { AppError, type ErrorCode } from '../../../src/base/errors.ts';

/** Awaits the rejection and gives the error back, its code and message proved. */
export async function rejectsWith(t: Test, promise: Promise<unknown>, code: ErrorCode, message?: RegExp) {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  t.ok(error instanceof AppError, `rejects with an AppError, not ${String(error)}`);
  if (!(error instanceof AppError)) throw new Error('not an AppError');
  t.equal(error.code, code);
  if (message !== undefined) t.match(error.message, message);
  return error;
}
