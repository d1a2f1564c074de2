import { sleep } from '../base/clock.ts';
import type { ControlPlaneClient, Lease, Metric } from '../protocol/control-plane.ts';
import type { Backoff } from './backoff.ts';
import { passesByItself } from './retry-call.ts';

export interface MetricSenderOptions {
  readonly client: Pick<ControlPlaneClient, 'reportMetrics'>;
  readonly lease: Lease;
  readonly batchMax: number;
  /** Beyond it the newest are dropped and counted. */
  readonly heldMax: number;
  readonly flushMs: number;
  readonly backoff: Backoff;
}

/**
 * The metrics of one attempt: batches numbered from 1, one under way at a time, each sent with the same number until it is
 * answered, so that none counts twice. A batch that is refused for itself is given up.
 */
export class MetricSender {
  readonly #options: MetricSenderOptions;
  readonly #stopped = new AbortController();
  #hurry = new AbortController();
  #held: Metric[] = [];
  #batchSeq = 0;
  #dropped = 0;
  #sending: Promise<void> | null = null;

  constructor(options: MetricSenderOptions) {
    this.#options = options;
  }

  /** Metrics that were not kept or not taken. */
  get dropped(): number {
    return this.#dropped;
  }

  add(metrics: readonly Metric[]): void {
    if (this.#stopped.signal.aborted || metrics.length === 0) return;
    const room = this.#options.heldMax - this.#held.length;
    this.#held.push(...metrics.slice(0, room));
    this.#dropped += Math.max(0, metrics.length - room);
    if (this.#held.length >= this.#options.batchMax) this.#hurry.abort();
    this.#start();
  }

  /** Sends what is held; resolves when all is answered, or it was stopped. */
  async flush(): Promise<void> {
    while (this.#sending !== null || this.#held.length > 0) {
      if (this.#stopped.signal.aborted) return;
      this.#hurry.abort();
      this.#start();
      await this.#sending;
    }
  }

  stop(): void {
    this.#stopped.abort();
    this.#hurry.abort();
    this.#held = [];
  }

  #start(): void {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = null;
    });
  }

  async #send(): Promise<void> {
    await sleep(this.#options.flushMs, this.#hurry.signal);
    this.#hurry = new AbortController();
    const metrics = this.#held.splice(0, this.#options.batchMax);
    if (metrics.length === 0) return;
    this.#batchSeq += 1;
    const batch = { lease: this.#options.lease, batch_seq: this.#batchSeq, metrics };
    const { client, backoff } = this.#options;
    while (!this.#stopped.signal.aborted) {
      try {
        const { outcome } = await client.reportMetrics(batch);
        if (outcome === 'STALE_LEASE' || outcome === 'RUN_ABSENT') this.stop();
        backoff.reset();
        return;
      } catch (error) {
        if (!passesByItself(error)) {
          this.#dropped += metrics.length;
          return;
        }
        await backoff.wait(this.#stopped.signal, error);
      }
    }
  }
}
