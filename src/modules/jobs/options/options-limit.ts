import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../base/errors.ts';
import { principalOf } from '../../../http/guard.ts';
import type { App } from '../../../http/server.ts';

const REQUESTS_MAX = 300;
const MINUTE_MS = 60_000;

/** Counts a member's requests for options: each may cost a call of a connector. `RATE_LIMITED` over 300 a minute. */
export type CountOptions = (request: FastifyRequest) => Promise<void>;

/** One counter for all routes that give options. */
export function createOptionsLimit(app: App): CountOptions {
  const count = app.createRateLimit({
    max: REQUESTS_MAX,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => {
      const who = principalOf(request);
      return `${who.type}:${'id' in who ? who.id : who.name}`;
    },
  });
  return async (request) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    throw new AppError('RATE_LIMITED', 'Options are asked for too often: try again later', {
      retryAfterSeconds: counted.ttlInSeconds,
    });
  };
}
