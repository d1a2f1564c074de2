import type { Clock } from '../../base/clock.ts';
import { METRIC_TAGS_MAX, METRIC_TEXT_CHARS_MAX, type Metric } from '../../base/run-report.ts';
import { MEASUREMENTS, type Measurement } from '../../metering/measurements.ts';
import type { Backoff } from '../link/backoff.ts';
import { type MetricDestination, MetricSender } from './metric-sender.ts';

export interface MetricFlowOptions {
  readonly clock: Clock;
  readonly batchMax: number;
  /** Metrics that wait for one destination. */
  readonly heldMax: number;
  readonly flushMs: number;
  readonly newBackoff: () => Backoff;
}

/** How an attempt ended, as far as it is measured. */
export interface MeasuredEnd {
  readonly status: string;
  readonly rows_out: number;
}

/**
 * The metrics of one attempt: gathered for a little, numbered once, and handed to every destination, each of which takes them at
 * its own pace. What comes before `route` waits for it.
 */
export class MetricFlow {
  readonly #options: MetricFlowOptions;
  readonly #startedAt: number;
  #senders: readonly MetricSender[] | null = null;
  #held: Metric[] = [];
  #unrouted = 0;
  #batchSeq = 0;
  #timer: NodeJS.Timeout | null = null;
  #taskName = '';
  #hasEnd = false;
  #stopped = false;

  constructor(options: MetricFlowOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** Metrics that some destination did not get. */
  get dropped(): number {
    return this.#unrouted + (this.#senders ?? []).reduce((sum, sender) => sum + sender.dropped, 0);
  }

  /** Says where all of it goes; the first call counts. Without a destination nothing is measured. */
  route(taskName: string, destinations: readonly MetricDestination[]): void {
    if (this.#senders !== null) {
      for (const destination of destinations) destination.release();
      return;
    }
    const { heldMax, newBackoff } = this.#options;
    this.#taskName = taskName;
    this.#senders = destinations.map(
      (destination) => new MetricSender({ destination, heldMax, backoff: newBackoff() }),
    );
    if (this.#stopped) for (const sender of this.#senders) sender.stop();
  }

  add(metrics: readonly Metric[]): void {
    if (this.#stopped || metrics.length === 0) return;
    const room = this.#options.heldMax - this.#held.length;
    for (const metric of metrics.slice(0, room)) {
      if (metric.name === ('task.duration_ms' satisfies Measurement)) this.#hasEnd = true;
      this.#held.push(fitting(metric));
    }
    this.#unrouted += Math.max(0, metrics.length - room);
    if (this.#held.length >= this.#options.batchMax) this.#hand();
    else this.#timer ??= setTimeout(() => this.#hand(), this.#options.flushMs);
  }

  /** Measures the task itself where the run could not: it was skipped, killed, or could not be read. */
  end({ status, rows_out }: MeasuredEnd): void {
    if (this.#hasEnd) return;
    const at = this.#options.clock.now();
    const of = (name: Measurement, value: number, tags: Record<string, string>): Metric => ({
      name,
      kind: MEASUREMENTS[name].kind,
      value,
      tags: { task: this.#taskName, ...tags },
      at,
    });
    this.add([
      of('task.duration_ms', Math.max(0, at - this.#startedAt), { status }),
      of('task.items_out', rows_out, {}),
    ]);
  }

  /** Resolves when everything is answered, or it was stopped. */
  async flush(): Promise<void> {
    this.#hand();
    await Promise.all((this.#senders ?? []).map((sender) => sender.flush()));
  }

  /** The control plane can be reached again. */
  wake(): void {
    for (const sender of this.#senders ?? []) sender.wake();
  }

  /** Forgets what was not taken. */
  stop(): void {
    this.#stopped = true;
    this.#held = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const sender of this.#senders ?? []) sender.stop();
  }

  #hand(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#senders === null) return;
    while (this.#held.length > 0) {
      const metrics = this.#held.splice(0, this.#options.batchMax);
      this.#batchSeq += 1;
      for (const sender of this.#senders) sender.add({ batchSeq: this.#batchSeq, metrics });
    }
  }
}

/** As control planes take it: one long name would cost the whole batch. */
function fitting(metric: Metric): Metric {
  const tags = Object.entries(metric.tags);
  const texts = [metric.name, ...tags.flat()];
  if (tags.length <= METRIC_TAGS_MAX && texts.every((text) => text.length <= METRIC_TEXT_CHARS_MAX))
    return metric;
  const cut = (text: string) => text.slice(0, METRIC_TEXT_CHARS_MAX);
  const fitted = tags.slice(0, METRIC_TAGS_MAX).map(([name, value]) => [cut(name), cut(value)]);
  return { ...metric, name: cut(metric.name), tags: Object.fromEntries(fitted) };
}
