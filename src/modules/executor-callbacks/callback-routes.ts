import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isRecord } from '../../base/json.ts';
import type { App } from '../../http/server.ts';
import type { MetricPoint } from '../../metering/backend.ts';
import type { ControlPlane } from '../../protocol/control-plane.ts';
import { HeldLeases } from '../../protocol/held-leases.ts';
import { executorOperation } from '../executors/executor-operation.ts';
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
    registerRunWriteRoutes(scope as App, heldBy, sessions);
    registerRunReadRoutes(scope as App, heldBy, sessions);
    registerMetricsIngestRoute(scope as App, { heldBy, sessions, storePoints });
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
function registerMetricsIngestRoute(app: App, deps: MetricsIngestDeps): void {
  const { heldBy, sessions, storePoints } = deps;
  app.post(
    '/api/executor-callbacks/metrics/ingest',
    executorOperation({
      id: 'ingestMetrics',
      tag: 'Executor Callbacks',
      summary: 'Store measurements through the enabled backends',
      description:
        'May be sent with `Content-Encoding: gzip`. The batch of a run needs the executor’s session.',
      headers: 'optional',
      body: z.union([metricBatch, metricPoints]),
      answers: { 200: z.union([metricAck, pointsAck]) },
      validator: wireValidator((value) =>
        isRecord(value) && 'points' in value ? metricPoints : metricBatch,
      ),
    }),
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
