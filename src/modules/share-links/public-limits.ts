import type { FastifyRequest } from 'fastify';
import { AppError } from '../../base/errors.ts';
import type { App } from '../../http/server.ts';
import { networkOf } from '../auth/failure-limit.ts';

const MINUTE_MS = 60_000;

/** Requests a minute: of one network address over all links, and of one link over all addresses. */
const LIMITS = {
  read: { addressMax: 600, tokenMax: 6_000 },
  rows: { addressMax: 120, tokenMax: 600 },
  options: { addressMax: 120, tokenMax: 1_200 },
  export: { addressMax: 6, tokenMax: 30 },
  /** Checks of values, as a form asks for them while it is filled in, and before a write. */
  check: { addressMax: 120, tokenMax: 1_200 },
  write: { addressMax: 20, tokenMax: 200 },
  /** Each costs a hash, right or wrong; wrong ones have a stricter limit of their own. */
  unlock: { addressMax: 20, tokenMax: 200 },
} as const;

/** What a share link is used for; each kind is counted apart. */
export type PublicUse = keyof typeof LIMITS;

/** Counts a request, as its first hook; `RATE_LIMITED` where there were too many of its kind. */
export type CountPublicUse = (request: FastifyRequest) => Promise<void>;

/** What an address has too many of does not count for the link: nobody uses it up for others alone. */
export function createPublicLimits(app: App): (use: PublicUse) => CountPublicUse {
  const counters = new Map<PublicUse, CountPublicUse>();
  return (use) => {
    const made = counters.get(use) ?? countersOf(app, use);
    counters.set(use, made);
    return made;
  };
}

function countersOf(app: App, use: PublicUse): CountPublicUse {
  const { addressMax, tokenMax } = LIMITS[use];
  const counters = [
    app.createRateLimit({
      max: addressMax,
      timeWindow: MINUTE_MS,
      keyGenerator: (request) => networkOf(request.ip),
    }),
    app.createRateLimit({
      max: tokenMax,
      timeWindow: MINUTE_MS,
      keyGenerator: (request) => (request.params as { token: string }).token,
    }),
  ];
  return async (request) => {
    for (const count of counters) {
      const counted = await count(request);
      if (counted.isAllowed || !counted.isExceeded) continue;
      throw new AppError('RATE_LIMITED', 'This shared dashboard is used too often: try again later', {
        retryAfterSeconds: counted.ttlInSeconds,
      });
    }
  };
}
