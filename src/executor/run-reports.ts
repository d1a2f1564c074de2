import { type Clock, sleep } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { LogLevel } from '../base/run-report.ts';
import type { ControlPlaneClient, ExecutorLimits, Lease } from '../protocol/control-plane.ts';
import type { ExecutorProcessLimits } from './executor-limits.ts';
import { Backoff } from './link/backoff.ts';
import { logLineOf } from './log/log-line.ts';
import { LogSender } from './log/log-sender.ts';
import { LogSpool } from './log/log-spool.ts';
import { type MeasuredEnd, MetricFlow } from './metrics/metric-flow.ts';
import type { MetricDestination } from './metrics/metric-sender.ts';
import type { Report } from './runner/runner-messages.ts';

export interface RunReportsOptions {
  readonly client: Pick<ControlPlaneClient, 'appendLogs'>;
  readonly lease: Lease;
  readonly spoolPath: string;
  readonly limits: ExecutorProcessLimits;
  readonly wireLimits: ExecutorLimits;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** The control plane takes no more of this attempt's log. */
  readonly onStale: () => void;
}

/** Log and metrics of one attempt, on their way to the control plane. */
export class RunReports {
  readonly #clock: Clock;
  readonly #spool: LogSpool;
  readonly #logs: LogSender;
  readonly #limits: ExecutorProcessLimits;
  readonly #metrics: MetricFlow;
  readonly #lineBytesMax: number;
  #hasLeft = false;

  constructor(options: RunReportsOptions) {
    const { client, lease, limits, wireLimits, backoff, clock, random, logger, onStale } = options;
    this.#clock = clock;
    this.#limits = limits;
    this.#lineBytesMax = wireLimits.log_line_bytes_max;
    this.#spool = new LogSpool({
      path: options.spoolPath,
      bytesMax: limits.spoolBytesMax,
      memoryBytesMax: limits.spoolMemoryBytesMax,
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
    this.#metrics = new MetricFlow({
      clock,
      batchMax: limits.metricBatchMax,
      heldMax: limits.metricsHeldMax,
      flushMs: limits.metricFlushMs,
      newBackoff: () => new Backoff({ minMs: limits.backoffMinMs, maxMs: limits.backoffMaxMs, random }),
    });
  }

  get lastLogSeq(): number {
    return this.#spool.lastSeq;
  }

  /** Says where the metrics go; none of them goes anywhere before. The first call counts. */
  route(taskName: string, destinations: readonly MetricDestination[]): void {
    this.#metrics.route(taskName, destinations);
  }

  take(report: Report): void {
    this.#spool.noteDropped(report.dropped);
    this.#spool.append(report.lines);
    this.#logs.wake();
    this.#metrics.add(report.metrics);
  }

  /** A line of the executor's own, about the run as a whole. */
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void {
    const entry = { at: this.#clock.now(), level, stepId: '', message, fields };
    this.#spool.append([logLineOf(entry, this.#lineBytesMax)]);
    this.#logs.wake();
  }

  /** Nothing is reported any more; `lastLogSeq` is final after it. */
  end(end: MeasuredEnd): void {
    this.#metrics.end(end);
    const { dropped } = this.#metrics;
    if (dropped > 0) this.log('warn', `${dropped} metrics were dropped`);
    this.#spool.end();
  }

  /** Resolves when everything is acknowledged, after `ms` (metrics sooner), or when `signal` aborts. */
  async handOver(ms: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const over = (after: number) => sleep(after, AbortSignal.any([signal, done.signal]));
    const metrics = Promise.race([this.#metrics.flush(), over(Math.min(ms, this.#limits.metricHandOverMs))]);
    await Promise.race([Promise.all([this.#logs.flush(), metrics]), over(ms)]);
    done.abort();
  }

  /** The metrics outlive this run: their owner ends them. */
  leaveMetrics(): MetricFlow {
    this.#hasLeft = true;
    return this.#metrics;
  }

  /** The control plane can be reached again. */
  wake(): void {
    this.#logs.wake();
    this.#metrics.wake();
  }

  /** Forgets what is not acknowledged. */
  stop(): void {
    this.#logs.stop();
    if (!this.#hasLeft) this.#metrics.stop();
    this.#spool.close();
  }
}
