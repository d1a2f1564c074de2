import type { FastifyInstance } from 'fastify';
import type { App } from '../../http/server.ts';
import type { ControlPlane } from '../../protocol/control-plane.ts';
import { createExecutorSessions } from '../executors/executor-sessions.ts';
import { readWireBodies } from '../executors/wire-body.ts';
import { registerMetricsIngestRoute, type StorePoints } from './metrics-ingest-routes.ts';
import { registerRunReadRoutes } from './run-read-routes.ts';
import { registerRunWriteRoutes } from './run-write-routes.ts';

export interface CallbackRoutesDeps {
  readonly controlPlane: ControlPlane;
  readonly storePoints: StorePoints;
}

/**
 * The HTTP binding of the executor contract, the part about runs. Outcomes are answers, never errors; an error means that
 * nothing is known to have happened.
 */
export async function registerCallbackRoutes(app: App, deps: CallbackRoutesDeps): Promise<void> {
  const { controlPlane, storePoints } = deps;
  const sessions = createExecutorSessions(controlPlane);
  await app.register(async (scope) => {
    readWireBodies(scope as unknown as FastifyInstance);
    registerRunWriteRoutes(scope as App, controlPlane, sessions);
    registerRunReadRoutes(scope as App, controlPlane, sessions);
    registerMetricsIngestRoute(scope as App, { controlPlane, sessions, storePoints });
  });
}
