import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { ServerMeter } from '../../base/server-meter.ts';
import { type MetricPoint, type StoredMetrics, withTags } from '../../metering/backend.ts';
import type { BackendConfig } from '../../metering/backend-config.ts';
import type { MetricBatch, RunSpec } from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { selectJobNames } from './job-names-store.ts';
import { METRICS_CONFIGS_MAX, type MetricsBackends, type OpenedBackend } from './metrics-backends.ts';
import { toInjected } from './metrics-config.ts';
import { selectEnabledConfigs } from './metrics-config-store.ts';
import type { TaskMetrics } from './task-metrics.ts';

const METRIC_POINTS_MAX = 10_000;

/** The attributes of a run in its metrics. */
export interface MeasuredRun {
  readonly id: number;
  readonly task_id: number | null;
  readonly task_name: string;
  readonly job_id: number | null;
  readonly yaml_content: string;
}

export interface MetricsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly meter: ServerMeter;
  readonly backends: MetricsBackends;
  readonly taskMetrics: TaskMetrics;
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Takes the measurements of runs from the executors to the backends, and answers queries.
 *
 * A task without a `metrics` section is measured by all enabled backends of the server; its executor sends the batches here. A
 * task's own section replaces them: the executor writes `statsd`, `http` and `serverdb` entries itself, and sends only
 * `localdb` entries here, for a file inside the server's folder for metrics. With `noop` alone, or an empty list, nothing is
 * measured.
 */
export function createMetrics(deps: MetricsDeps) {
  const { store, clock, logger, meter, backends, taskMetrics } = deps;

  /**
   * Settles when every durable backend has the batch; without one, nothing is stored. `NOT_READY` if one refused it: sent
   * again, it counts once. Backends that store nothing (`statsd`, `http`) are never awaited.
   */
  async function storeBatch(run: MeasuredRun, batch: MetricBatch): Promise<void> {
    const from = performance.now();
    requireCount(batch.metrics.length);
    const points = pointsOf(run, batch, clock.now());
    await writeAll(await backendsOf(run), points, logger, () => selectJobNames(store.read, run.job_id));
    meter.count('metric_points', points.length);
    meter.observe('metric_ingest_lag', (performance.now() - from) / 1_000);
  }

  /**
   * Stores posted points through the enabled backends; settles and fails as `storeBatch` does. `http` backends do not forward
   * them: two servers that name each other would never finish.
   */
  async function storePoints(points: readonly MetricPoint[]): Promise<void> {
    requireCount(points.length);
    const now = clock.now();
    const timed = points.map((point) => ({ ...point, at: Math.min(point.at, now) }));
    const opened = (await backends.current()).filter(({ type }) => type !== 'http');
    await writeAll(opened, timed, logger);
    meter.count('metric_points', points.length);
  }

  async function backendsOf(run: MeasuredRun): Promise<readonly OpenedBackend[]> {
    const own = await taskMetrics(run.yaml_content);
    if (own === null) return backends.current();
    const files = own.filter(({ backend }) => backend === 'localdb');
    const opened = files.map(({ config }) => backends.taskFile(config as BackendConfig<'localdb'>));
    const found = [...new Set(await Promise.all(opened))];
    return found.flatMap((backend) => (backend === null ? [] : [{ type: 'localdb', backend }]));
  }

  /** Removes the metrics of deleted runs from the server's backends. Rejects where one fails: call it again. */
  async function forgetRuns(runIds: readonly number[]): Promise<void> {
    const opened = await backends.current();
    // One that keeps points, but cannot be opened now.
    if (opened.some(({ backend }) => backend.durable && backend.stored === null))
      throw new AppError('NOT_READY', 'A metrics backend cannot be opened');
    await Promise.all(opened.map(({ backend }) => backend.stored?.removeRuns(runIds)));
  }

  /**
   * The backends that measure a run: those that its task names, with everything that the executor needs to write there, or the
   * enabled ones of the server, without their secrets.
   */
  async function backendsFor(
    run: Pick<MeasuredRun, 'task_id' | 'job_id' | 'yaml_content'>,
  ): Promise<RunSpec['metrics']> {
    const own = await taskMetrics(run.yaml_content);
    if (own !== null) {
      const tags = await selectJobNames(store.read, run.job_id);
      return own.map((entry) => ({ ...entry, own: { task_id: run.task_id, tags } }));
    }
    return (await selectEnabledConfigs(store.read, METRICS_CONFIGS_MAX)).map(toInjected);
  }

  /** The first enabled durable backend; null if there is none. */
  async function stored(): Promise<StoredMetrics | null> {
    const opened = await backends.current();
    return opened.find(({ backend }) => backend.stored !== null)?.backend.stored ?? null;
  }

  return { storeBatch, storePoints, forgetRuns, backendsFor, stored };
}

type TagsOf = () => Promise<Readonly<Record<string, string>>>;

async function writeAll(
  targets: readonly OpenedBackend[],
  points: readonly MetricPoint[],
  logger: Logger,
  tagsOf: TagsOf = async () => ({}),
): Promise<void> {
  for (const target of targets)
    if (!target.backend.durable)
      passOn(target, points, tagsOf).catch((error: unknown) => {
        logger.warn({ err: error }, 'a metrics backend failed');
      });
  const durable = targets.filter(({ backend }) => backend.durable);
  const results = await Promise.allSettled(durable.map(({ backend }) => backend.write(points)));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed === undefined) return;
  logger.debug({ err: failed.reason }, 'a metrics backend refused a batch');
  throw new AppError('NOT_READY', 'A metrics backend refused the batch: send it again', {
    cause: failed.reason,
    retryAfterSeconds: 1,
  });
}

/** A StatsD server knows nothing of the run but its tags. */
async function passOn(
  { type, backend }: OpenedBackend,
  points: readonly MetricPoint[],
  tagsOf: TagsOf,
): Promise<void> {
  await backend.write(type === 'statsd' ? withTags(points, await tagsOf()) : points);
}

function requireCount(points: number): void {
  if (points <= METRIC_POINTS_MAX) return;
  throw new AppError('VALIDATION_ERROR', `A batch has at most ${METRIC_POINTS_MAX} metrics, not ${points}`);
}

/** Drops values that are not numbers; measurements from the future, by a wrong clock of the executor, count as of now. */
function pointsOf(run: MeasuredRun, batch: MetricBatch, now: number): MetricPoint[] {
  const { attempt } = batch.lease;
  return batch.metrics.flatMap(({ name, kind, value, tags, at }, index) => {
    if (!Number.isFinite(value)) return [];
    const measured = { name, kind, value, tags, at: Math.min(at, now) };
    const place = { run_id: run.id, attempt, batch_seq: batch.batch_seq, index };
    return [{ ...place, task_id: run.task_id, task_name: run.task_name, ...measured }];
  });
}
