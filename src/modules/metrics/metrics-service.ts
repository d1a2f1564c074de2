import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { MetricPoint, StoredMetrics } from '../../metering/backend.ts';
import type { MetricBatch, RunSpec } from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { METRICS_CONFIGS_MAX, type MetricsBackends } from './metrics-backends.ts';
import { toInjected } from './metrics-config.ts';
import { selectEnabledConfigs } from './metrics-config-store.ts';

const POINTS_PER_BATCH_MAX = 10_000;

/** What the metrics of a run say about it. */
export interface MeasuredRun {
  readonly id: number;
  readonly task_id: number | null;
  readonly task_name: string;
}

export interface MetricsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly backends: MetricsBackends;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Measurements of runs, on their way from the executors to the server's backends, and the questions about them. */
export function createMetrics({ store, clock, logger, backends }: MetricsDeps) {
  /**
   * Settles when every enabled backend has the batch; without one, nothing is kept. `NOT_READY` where one did not take it:
   * sent again, it counts once.
   */
  async function storeBatch(run: MeasuredRun, batch: MetricBatch): Promise<void> {
    if (batch.metrics.length > POINTS_PER_BATCH_MAX)
      throw new AppError(
        'VALIDATION_ERROR',
        `A batch has at most ${POINTS_PER_BATCH_MAX} metrics, not ${batch.metrics.length}`,
      );
    const points = pointsOf(run, batch, clock.now());
    const results = await Promise.allSettled(
      (await backends.current()).map((backend) => backend.write(points)),
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (failed === undefined) return;
    logger.warn({ err: failed.reason, run_id: run.id }, 'a metrics backend did not take a batch');
    throw new AppError('NOT_READY', 'A metrics backend did not take the batch: send it again', {
      cause: failed.reason,
      retryAfterSeconds: 1,
    });
  }

  /** Removes the metrics of a deleted run; best effort: what fails is logged. */
  async function forgetRun(runId: number): Promise<void> {
    try {
      for (const { stored } of await backends.current()) stored?.removeRun(runId);
    } catch (error) {
      logger.warn({ err: error, run_id: runId }, 'the metrics of a deleted run could not be removed');
    }
  }

  /** The backends that a run is told of, without their secrets. */
  async function injected(): Promise<RunSpec['metrics']> {
    return (await selectEnabledConfigs(store.read, METRICS_CONFIGS_MAX)).map(toInjected);
  }

  /** The first enabled backend that keeps its points; null where there is none. */
  async function stored(): Promise<StoredMetrics | null> {
    return (await backends.current()).find((backend) => backend.stored !== null)?.stored ?? null;
  }

  return { storeBatch, forgetRun, injected, stored };
}

/** What is no number is dropped, and nothing is measured in the future, whatever the executor's clock says. */
function pointsOf(run: MeasuredRun, batch: MetricBatch, now: number): MetricPoint[] {
  const { attempt } = batch.lease;
  return batch.metrics.flatMap(({ name, kind, value, tags, at }, index) => {
    if (!Number.isFinite(value)) return [];
    const measured = { name, kind, value, tags, at: Math.min(at, now) };
    const place = { run_id: run.id, attempt, batch_seq: batch.batch_seq, index };
    return [{ ...place, task_id: run.task_id, task_name: run.task_name, ...measured }];
  });
}
