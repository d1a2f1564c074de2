import { LOG_WINDOW_BYTES_MAX, type LogLimits } from './run-log-limits.ts';

/** Runs whose allowance is remembered; the one that was silent longest is forgotten, and its allowance is full anyway. */
const RUNS_MAX = 10_000;

interface Bucket {
  bytes: number;
  at: number;
}

/**
 * How fast each run may log: a bucket per run that fills at the allowed rate. The window sent to the executor is what is left in
 * it; one that exceeds an empty window by more than a whole window is refused.
 */
export class LogRate {
  readonly #limits: LogLimits;
  /** The least recently used first. */
  readonly #buckets = new Map<number, Bucket>();

  constructor(limits: LogLimits) {
    this.#limits = limits;
  }

  /** Seconds to wait before this frame may be taken; 0 when it was taken. `now` in milliseconds. */
  take(runId: number, bytes: number, now: number): number {
    const bucket = this.#filled(runId, now);
    if (bucket.bytes <= -LOG_WINDOW_BYTES_MAX)
      return Math.max(1, Math.ceil(-bucket.bytes / this.#limits.bytesPerSecond));
    bucket.bytes -= bytes;
    return 0;
  }

  /** What the run's executor may send until the next acknowledgement. */
  windowOf(runId: number): number {
    const left = this.#buckets.get(runId)?.bytes ?? this.#limits.burstBytes;
    return Math.max(0, Math.min(LOG_WINDOW_BYTES_MAX, Math.floor(left)));
  }

  #filled(runId: number, now: number): Bucket {
    const { bytesPerSecond, burstBytes } = this.#limits;
    let bucket = this.#buckets.get(runId);
    if (bucket === undefined) {
      bucket = { bytes: burstBytes, at: now };
      const oldest = this.#buckets.size >= RUNS_MAX ? this.#buckets.keys().next().value : undefined;
      if (oldest !== undefined) this.#buckets.delete(oldest);
    } else {
      const gained = (Math.max(0, now - bucket.at) / 1_000) * bytesPerSecond;
      bucket.bytes = Math.min(burstBytes, bucket.bytes + gained);
      bucket.at = now;
      this.#buckets.delete(runId);
    }
    this.#buckets.set(runId, bucket);
    return bucket;
  }
}
