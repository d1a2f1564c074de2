import { z } from 'zod';
import type { Access } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { ExecutorSessions } from './executor-sessions.ts';
import { WIRE_BODY_BYTES_MAX, wireValidator } from './wire-body.ts';

const executorKey: Access = { kind: 'executor' };

const sessionHeaders = z.object({
  'x-executor-id': z.string().describe('The executor_id from the registration'),
  'x-session-token': z.string().describe('The session_token from the registration'),
});

/** For a route that asks for the executor key alone. */
export const withoutSession = { headers: undefined, onRequest: [] };
/** For a route that authenticates the session itself, if it needs one. */
export const optionalSession = { headers: sessionHeaders.partial(), onRequest: [] };
/** For a route whose request has no body, and its lease in headers. */
export const leaseInHeaders = {
  headers: sessionHeaders.extend({
    'x-lease-attempt': z.string().describe('The lease’s attempt; its run_id is the path’s'),
    'x-lease-epoch': z.string().describe('The lease’s epoch'),
    'x-lease-token': z.string().describe('The lease’s token'),
  }),
};

/**
 * The routes for executors: behind the executor key and its session, with the bodies of `wire-body.ts`, and outside the rate
 * limit per address. One executor speaks for all of its runs; credits, windows and `NOT_READY` throttle it. Headers are checked
 * where they are read, with the fitting error; here they are documented.
 */
export function executorRoutes(
  app: App,
  tag: 'Executors' | 'Executor Callbacks',
  sessions: ExecutorSessions,
): Routes {
  return new Routes(app, {
    tag,
    read: executorKey,
    write: executorKey,
    common: {
      headers: sessionHeaders,
      onRequest: sessions.require,
      errors: ['NOT_READY'],
      rateLimit: false,
      bodyLimit: WIRE_BODY_BYTES_MAX,
      validatorCompiler: wireValidator(),
    },
  });
}
