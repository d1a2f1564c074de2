import { AppError, validationError } from '../base/errors.ts';
import { ConnectorError } from './driver.ts';
import { CursorError } from './page/cursor-error.ts';

/**
 * A driver's error as a caller's, with the driver's message: `VALIDATION_ERROR` for a cursor, else `CONNECTOR_ERROR`. Null for anything
 * else.
 */
export function connectorAppError(error: unknown): AppError | null {
  if (!(error instanceof ConnectorError)) return null;
  if (error instanceof CursorError) return validationError([{ path: 'cursor', message: error.message }]);
  const { retryAfterMs } = error;
  return new AppError('CONNECTOR_ERROR', error.message, {
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  });
}
