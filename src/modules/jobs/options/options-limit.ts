import type { FastifyRequest } from 'fastify';
import { createCallerLimit } from '../../../http/caller-limit.ts';
import type { App } from '../../../http/server.ts';

const LIMIT = { requestsMax: 300, message: 'Options are asked for too often: try again later' } as const;

/** Counts a member's requests for options: each may cost a call of a connector. `RATE_LIMITED` over 300 a minute. */
export type CountOptions = (request: FastifyRequest) => Promise<void>;

/** One counter for all routes that give options. */
export function createOptionsLimit(app: App): CountOptions {
  return createCallerLimit(app, LIMIT);
}
