import { AppError } from '../base/errors.ts';
import { ConnectorError } from './driver.ts';

/** A driver's error as a caller's: `CONNECTOR_ERROR`, with the driver's message. Null for anything else. */
export function connectorAppError(error: unknown): AppError | null {
  if (!(error instanceof ConnectorError)) return null;
  const { retryAfterMs } = error;
  return new AppError('CONNECTOR_ERROR', error.message, {
    cause: error,
    ...(retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  });
}
