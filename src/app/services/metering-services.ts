import { PrometheusMeter } from '../../metering/prometheus-meter.ts';
import { MetricsBackends } from '../../modules/metrics/metrics-backends.ts';
import { createMetricsConfigs } from '../../modules/metrics/metrics-config-service.ts';
import { createMetrics } from '../../modules/metrics/metrics-service.ts';
import { createTaskMetrics } from '../../modules/metrics/task-metrics.ts';
import type { ServicesDeps } from './services.ts';

export type MeteringServices = ReturnType<typeof createMeteringServices>;

/** What the server measures of itself and of runs, and where it goes. */
export function createMeteringServices({ config, store, clock, logger, pool, cipher }: ServicesDeps) {
  const place = { path: config.metrics.path, reserved: store.files };
  const meter = new PrometheusMeter();
  const metricsBackends = new MetricsBackends({
    store,
    clock,
    logger,
    random: Math.random,
    cipher,
    meter,
    place,
    stateUrl: config.state.serverdb?.url ?? null,
  });
  const taskMetrics = createTaskMetrics(async (yaml) => {
    const parsed = await pool.run({ kind: 'parse_task', input: { yaml } });
    return parsed.ok ? (parsed.info.metrics ?? null) : null;
  });
  const metrics = createMetrics({ store, clock, logger, meter, backends: metricsBackends, taskMetrics });
  const metricsConfigs = createMetricsConfigs({
    store,
    clock,
    cipher,
    probe: (settings) => metricsBackends.probe(settings),
  });
  return { place, meter, metrics, metricsBackends, metricsConfigs };
}
