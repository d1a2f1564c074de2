import { type Clock, sleep } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ControlPlaneClient, ExecutorLimits, Lease, LogLevel } from '../protocol/control-plane.ts';
import type { Backoff } from './backoff.ts';
import type { ExecutorProcessLimits } from './executor-limits.ts';
import { LogSender } from './log-sender.ts';
import { LogSpool } from './log-spool.ts';
import { MetricSender } from './metric-sender.ts';
import type { Report } from './runner-messages.ts';

export interface RunReportsOptions {
  readonly client: Pick<ControlPlaneClient, 'appendLogs' | 'reportMetrics'>;
  readonly lease: Lease;
  readonly spoolPath: string;
  readonly limits: ExecutorProcessLimits;
  readonly wireLimits: ExecutorLimits;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The control plane takes no more of this attempt's log. */
  readonly onStale: () => void;
}

/** Log and metrics of one attempt, on their way to the control plane. */
export class RunReports {
  readonly #clock: Clock;
  readonly #spool: LogSpool;
  readonly #logs: LogSender;
  readonly #metrics: MetricSender;

  constructor(options: RunReportsOptions) {
    const { client, lease, limits, wireLimits, backoff, clock, logger, onStale } = options;
    this.#clock = clock;
    this.#spool = new LogSpool({
      path: options.spoolPath,
      bytesMax: limits.spoolBytesMax,
      memoryBytesMax: limits.spoolMemoryBytesMax,
      lineBytesMax: wireLimits.log_line_bytes_max,
      clock,
    });
    this.#logs = new LogSender({
      client,
      lease,
      spool: this.#spool,
      limits: wireLimits,
      lingerMs: limits.logLingerMs,
      backoff,
      logger,
      onStale,
    });
    this.#metrics = new MetricSender({
      client,
      lease,
      batchMax: limits.metricBatchMax,
      heldMax: limits.metricsHeldMax,
      flushMs: limits.metricFlushMs,
      backoff,
    });
  }

  get lastLogSeq(): number {
    return this.#spool.lastSeq;
  }

  take(report: Report): void {
    this.#spool.noteDropped(report.dropped);
    this.#spool.append(report.lines);
    this.#logs.wake();
    this.#metrics.add(report.metrics);
  }

  /** A line of the executor's own, about the run as a whole. */
  log(level: LogLevel, message: string, fields: Readonly<Record<string, unknown>> | null = null): void {
    this.#spool.append([{ at: this.#clock.now(), level, step_id: '', message, fields }]);
    this.#logs.wake();
  }

  /** Nothing is reported any more; `lastLogSeq` is final after it. */
  end(): void {
    const { dropped } = this.#metrics;
    if (dropped > 0) this.log('warn', `${dropped} metrics were dropped`);
    this.#spool.end();
  }

  /** Resolves when everything is acknowledged, after `ms`, or when `signal` aborts. */
  async handOver(ms: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const all = Promise.all([this.#logs.flush(), this.#metrics.flush()]);
    await Promise.race([all, sleep(ms, AbortSignal.any([signal, done.signal]))]);
    done.abort();
  }

  /** The control plane can be reached again. */
  wake(): void {
    this.#logs.wake();
  }

  /** Forgets what is not acknowledged. */
  stop(): void {
    this.#logs.stop();
    this.#metrics.stop();
    this.#spool.close();
  }
}
