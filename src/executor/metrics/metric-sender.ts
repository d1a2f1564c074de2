import type { Metric } from '../../base/run-report.ts';
import type { Backoff } from '../link/backoff.ts';
import { passesByItself } from '../link/retry-call.ts';

/** Metrics under a number of their own: wherever the batch goes, and however often, it is the same one. */
export interface NumberedMetrics {
  /** From 1, dense within the attempt. */
  readonly batchSeq: number;
  readonly metrics: readonly Metric[];
}

/** Where the metrics of an attempt go. */
export interface MetricDestination {
  /** False where it wants no more of this attempt. Rejects where the batch was not taken. */
  send(batch: NumberedMetrics): Promise<boolean>;
  /** Called once, when nothing is sent any more. */
  release(): void;
}

export interface MetricSenderOptions {
  readonly destination: MetricDestination;
  /** Metrics that wait; beyond it the newest are dropped and counted. */
  readonly heldMax: number;
  readonly backoff: Backoff;
}

/**
 * The batches of one attempt on their way to one destination, one under way at a time, each sent until it is taken, so that none
 * counts twice. A batch that is refused for itself is given up.
 */
export class MetricSender {
  readonly #options: MetricSenderOptions;
  readonly #stopped = new AbortController();
  readonly #queue: NumberedMetrics[] = [];
  #held = 0;
  #dropped = 0;
  #sending: Promise<void> | null = null;

  constructor(options: MetricSenderOptions) {
    this.#options = options;
  }

  /** Metrics that were not kept or not taken. */
  get dropped(): number {
    return this.#dropped;
  }

  add(batch: NumberedMetrics): void {
    const { length } = batch.metrics;
    if (this.#stopped.signal.aborted) return;
    if (this.#held + length > this.#options.heldMax) {
      this.#dropped += length;
      return;
    }
    this.#queue.push(batch);
    this.#held += length;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
    });
  }

  /** Resolves when all is answered, or it was stopped. */
  async flush(): Promise<void> {
    while (this.#sending !== null) await this.#sending;
  }

  /** The destination can be reached again. */
  wake(): void {
    this.#options.backoff.wake();
  }

  /** Forgets what was not taken. */
  stop(): void {
    if (this.#stopped.signal.aborted) return;
    this.#stopped.abort();
    this.#queue.length = 0;
    this.#options.destination.release();
  }

  async #sendAll(): Promise<void> {
    for (let batch = this.#queue[0]; batch !== undefined; batch = this.#queue[0]) {
      await this.#send(batch);
      if (this.#stopped.signal.aborted) return;
      this.#queue.shift();
      this.#held -= batch.metrics.length;
    }
  }

  async #send(batch: NumberedMetrics): Promise<void> {
    const { destination, backoff } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        if (!(await destination.send(batch))) this.stop();
        backoff.reset();
        return;
      } catch (error) {
        if (!passesByItself(error)) {
          this.#dropped += batch.metrics.length;
          return;
        }
        await backoff.wait(this.#stopped.signal, error);
      }
    }
  }
}
