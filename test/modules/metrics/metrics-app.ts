import type { Test } from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Outbound } from '../../../src/base/outbound/outbound.ts';
import type { Metric } from '../../../src/base/run-report.ts';
import { type ServerMeter, silentMeter } from '../../../src/base/server-meter.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { MetricsBackends } from '../../../src/modules/metrics/metrics-backends.ts';
import { registerMetricsConfigRoutes } from '../../../src/modules/metrics/metrics-config-routes.ts';
import {
  createMetricsConfigs,
  type MetricsConfigs,
} from '../../../src/modules/metrics/metrics-config-service.ts';
import { registerMetricsDataRoutes } from '../../../src/modules/metrics/metrics-data-routes.ts';
import { createMetrics, type Metrics } from '../../../src/modules/metrics/metrics-service.ts';
import { createTaskMetrics } from '../../../src/modules/metrics/task-metrics.ts';
import type { MetricBatch } from '../../../src/protocol/control-plane.ts';
import type { Store } from '../../../src/store/store.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { outboundOf } from '../../support/outbound.ts';

export interface MetricsApp extends TestApp {
  readonly metrics: Metrics;
  readonly configs: MetricsConfigs;
  readonly backends: MetricsBackends;
}

export interface MetricsAppOptions {
  readonly stateUrl?: string | null;
  readonly meter?: ServerMeter;
  readonly outbound?: Outbound;
}

/** The metrics module over a store; metrics files belong into `folder`. */
export async function createMetricsApp(
  t: Test,
  store: Store,
  folder: string,
  { stateUrl = null, meter = silentMeter, outbound = outboundOf(t) }: MetricsAppOptions = {},
): Promise<MetricsApp> {
  let made: Pick<MetricsApp, 'metrics' | 'configs' | 'backends'> | undefined;
  const app = await createTestApp(t, (app, { clock, cipher }) => {
    const logger = silentLogger;
    const place = { path: `${folder}/metrics.db`, reserved: [`${folder}/state.db`, ...store.files] };
    const backends = new MetricsBackends({
      ...{ store, clock, logger, cipher, meter, place, stateUrl, outbound },
      random: Math.random,
    });
    t.teardown(() => backends.close());
    const taskMetrics = createTaskMetrics(async (yaml) => {
      const parsed = parseTask(yaml);
      return parsed.ok ? parsed.task.metrics : null;
    });
    const metrics = createMetrics({ store, clock, logger, meter, backends, taskMetrics });
    const configs = createMetricsConfigs({
      ...{ store, clock, cipher },
      probe: (settings) => backends.probe(settings),
    });
    registerMetricsConfigRoutes(app, { store, configs });
    registerMetricsDataRoutes(app, { store, clock, metrics });
    made = { metrics, configs, backends };
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
