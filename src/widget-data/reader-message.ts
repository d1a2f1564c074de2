import { AppError } from '../base/errors.ts';
import { connectorAppError } from '../drivers/connector-app-error.ts';
import { ConnectorError } from '../drivers/driver.ts';
import { ExpressionError } from '../language/expression/expression.ts';

/** The message of what a document's author or its connector did wrong, for an inline error; anything else is thrown on. */
export function readerMessageOf(error: unknown): string {
  const known = error instanceof AppError || error instanceof ConnectorError;
  if (known) return error.message;
  if (error instanceof ExpressionError) return expressionMessage(error);
  throw error;
}

/** The same as an `AppError`, for a task that rejects; null for anything else. */
export function widgetAppError(error: unknown): AppError | null {
  return error instanceof ExpressionError
    ? new AppError('UNPROCESSABLE', expressionMessage(error), { cause: error })
    : connectorAppError(error);
}

function expressionMessage(error: ExpressionError): string {
  return `An expression failed: ${error.message}`;
}
