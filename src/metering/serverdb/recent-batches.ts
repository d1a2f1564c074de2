import type { MetricPoint } from '../backend.ts';

/** Batches that are remembered: some hundred runs that report at once. */
const REMEMBERED_MAX = 10_000;

/**
 * Knows the batches that were passed on of late, by (run, attempt, batch_seq), so that one that is sent again is not counted
 * again by a backend which only adds up. Best effort: after a restart, or when ten thousand others came in between, it is new.
 */
export class RecentBatches {
  readonly #seen = new Set<string>();

  /** Those of the points whose batch was not taken before. */
  take(points: readonly MetricPoint[]): readonly MetricPoint[] {
    const fresh = new Set<string>();
    const taken = points.filter((point) => {
      const key = `${point.run_id}.${point.attempt}.${point.batch_seq}`;
      if (fresh.has(key)) return true;
      if (this.#seen.has(key)) return false;
      fresh.add(key);
      return true;
    });
    for (const key of fresh) this.#seen.add(key);
    for (const key of this.#seen) {
      if (this.#seen.size <= REMEMBERED_MAX) break;
      this.#seen.delete(key);
    }
    return taken;
  }
}
