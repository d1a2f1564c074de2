import type { FastifyRequest } from 'fastify';
import { AppError } from '../base/errors.ts';
import { callerOf } from './guard.ts';
import type { App } from './server.ts';

const MINUTE_MS = 60_000;

export interface CallerLimit {
  /** Of one caller in a minute. */
  readonly requestsMax: number;
  /** The message for a caller over the limit. */
  readonly message: string;
}

/** A hook that counts a member's requests, of all routes that share it: `RATE_LIMITED` for one too many. */
export function createCallerLimit(
  app: App,
  { requestsMax, message }: CallerLimit,
): (request: FastifyRequest) => Promise<void> {
  const count = app.createRateLimit({
    max: requestsMax,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => callerOf(request) ?? 'server',
  });
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: counted.ttlInSeconds });
  };
}
