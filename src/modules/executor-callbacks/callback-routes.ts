import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { MetricPoint } from '../../metering/backend.ts';
import type { ControlPlane } from '../../protocol/control-plane.ts';
import { HeldLeases } from '../../protocol/held-leases.ts';
import { executorRoutes, optionalSession } from '../executors/executor-group.ts';
import {
  createExecutorSessions,
  type ExecutorSessions,
  type HeldBy,
} from '../executors/executor-sessions.ts';
import { readWireBodies, wireValidator } from '../executors/wire-body.ts';
import { metricAck, metricBatch, metricPoints, pointsAck } from './callback-schemas.ts';
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
    const heldBy: HeldBy = (request) => new HeldLeases(controlPlane, sessions.of(request));
    const routes = executorRoutes(scope as App, 'Executor Callbacks', sessions);
    registerRunWriteRoutes(routes, heldBy);
    registerRunReadRoutes(routes, heldBy);
    registerMetricsIngestRoute(routes, { heldBy, sessions, storePoints });
  });
}

/** Settles when every enabled backend of this server has the points; `NOT_READY` where one did not take them. */
type StorePoints = (points: readonly MetricPoint[]) => Promise<void>;

interface MetricsIngestDeps {
  readonly heldBy: HeldBy;
  readonly sessions: ExecutorSessions;
  readonly storePoints: StorePoints;
}

/** Measurements of one run, by its executor; or of any, by the metrics backend `http` of another server or executor. */
function registerMetricsIngestRoute(routes: Routes, deps: MetricsIngestDeps): void {
  const { heldBy, sessions, storePoints } = deps;
  routes.post(
    '/api/executor-callbacks/metrics/ingest',
    {
      id: 'ingestMetrics',
      summary: 'Store measurements through the enabled backends',
      description:
        'May be sent with `Content-Encoding: gzip`. The batch of a run needs the executor’s session. Names and tags have at most 200 characters, and a metric at most 32 tags; a batch beyond that is refused whole.',
      ...optionalSession,
      body: z.union([metricBatch, metricPoints]),
      answers: { 200: z.union([metricAck, pointsAck]) },
      validatorCompiler: wireValidator((value) =>
        isRecord(value) && 'points' in value ? metricPoints : metricBatch,
      ),
    },
    async (request) => {
      const { body } = request;
      if ('points' in body) {
        await storePoints(body.points);
        return { stored: body.points.length };
      }
      await sessions.require(request);
      return heldBy(request).reportMetrics(body);
    },
  );
}
