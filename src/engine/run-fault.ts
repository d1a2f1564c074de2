import { ConnectorError } from '../drivers/driver.ts';
import { ExpressionError } from '../language/expression/expression.ts';
import { expressionMessage } from './expression-message.ts';

/** `RunOutcome.reason` of each way to fail. */
export type FaultReason = 'config_error' | 'task_error' | 'item_errors' | 'timeout' | 'user';

export interface RunFaultOptions {
  readonly reason: FaultReason;
  readonly stepId: string;
  /** The step may try again by its own policy. */
  readonly stepRetry?: boolean;
  /** Another attempt of the run may succeed. */
  readonly runRetry?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** Why a step, and perhaps its run, cannot continue. `message` is for people and holds no secret. */
export class RunFault extends Error {
  readonly code: string;
  readonly reason: FaultReason;
  readonly stepId: string;
  readonly stepRetry: boolean;
  readonly runRetry: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options: RunFaultOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RunFault';
    this.code = code;
    this.reason = options.reason;
    this.stepId = options.stepId;
    this.stepRetry = options.stepRetry ?? false;
    this.runRetry = options.runRetry ?? options.stepRetry ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/**
 * What anything thrown inside a step means. `UNAVAILABLE` is retried by the step and by the run, `TARGET` by the run alone;
 * configuration, credentials, data and expressions never. Errors of no known class keep their name only, since their text
 * may hold anything.
 */
export function toRunFault(error: unknown, stepId: string): RunFault {
  if (error instanceof RunFault) return error;
  if (error instanceof ConnectorError) {
    const mayPass = error.fault === 'UNAVAILABLE' && !error.isFinal;
    return new RunFault(`CONNECTOR_${error.fault}`, error.message, {
      reason: error.fault === 'CONFIG' || error.fault === 'AUTH' ? 'config_error' : 'task_error',
      stepId,
      stepRetry: mayPass,
      runRetry: mayPass || error.fault === 'TARGET',
      retryAfterMs: error.retryAfterMs,
      cause: error,
    });
  }
  if (error instanceof ExpressionError) {
    return new RunFault('EXPRESSION_ERROR', expressionMessage(error), {
      reason: 'task_error',
      stepId,
      cause: error,
    });
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new RunFault('INTERNAL_ERROR', `The step failed unexpectedly (${name})`, {
    reason: 'task_error',
    stepId,
    cause: error,
  });
}
