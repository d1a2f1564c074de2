import type { Test } from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { MetricsBackends } from '../../../src/modules/metrics/metrics-backends.ts';
import { registerMetricsConfigRoutes } from '../../../src/modules/metrics/metrics-config-routes.ts';
import {
  createMetricsConfigs,
  type MetricsConfigs,
} from '../../../src/modules/metrics/metrics-config-service.ts';
import { registerMetricsDataRoutes } from '../../../src/modules/metrics/metrics-data-routes.ts';
import { createMetrics, type Metrics } from '../../../src/modules/metrics/metrics-service.ts';
import type { Metric, MetricBatch } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

export interface MetricsApp extends TestApp {
  readonly metrics: Metrics;
  readonly configs: MetricsConfigs;
}

/** The metrics module over a store; metrics files belong into `folder`. */
export async function createMetricsApp(t: Test, store: Store, folder: string): Promise<MetricsApp> {
  let made: { metrics: Metrics; configs: MetricsConfigs } | undefined;
  const app = await createTestApp(t, (app, { clock }) => {
    const logger = silentLogger;
    const place = { path: `${folder}/metrics.db`, reserved: [`${folder}/state.db`, ...store.files] };
    const backends = new MetricsBackends({ store, clock, logger, place });
    t.teardown(() => backends.close());
    const metrics = createMetrics({ store, clock, logger, backends });
    const configs = createMetricsConfigs({ store, clock, probe: (settings) => backends.probe(settings) });
    registerMetricsConfigRoutes(app, { store, configs });
    registerMetricsDataRoutes(app, { store, clock, metrics });
    made = { metrics, configs };
  });
  if (made === undefined) throw new Error('the routes were not registered');
  return { ...app, ...made };
}

/** A batch as an executor reports it. */
export function batchOf(runId: number, metrics: readonly Metric[], batchSeq = 1, attempt = 1): MetricBatch {
  return { lease: { run_id: runId, attempt, epoch: 1, token: 'token' }, batch_seq: batchSeq, metrics };
}

export function resultOf(status: string, durationMs: number, items: number, at: number): Metric[] {
  return [
    { name: 'task.duration_ms', kind: 'timing', value: durationMs, tags: { status, task: 'orders' }, at },
    { name: 'task.items_out', kind: 'counter', value: items, tags: { task: 'orders' }, at },
    { name: 'step.duration_ms', kind: 'timing', value: 9, tags: { step: 'load', kind: 'load' }, at },
  ];
}
