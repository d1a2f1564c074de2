import type { MetricPoint } from '../backend.ts';

/** The number of remembered batches: enough for several hundred runs that report at once. */
const REMEMBERED_MAX = 10_000;

/**
 * Remembers recently forwarded batches by (run, attempt, batch_seq), so that a repeated one is not counted again by an additive
 * backend. Best effort: after a restart, or ten thousand others in between, it counts as new.
 */
export class RecentBatches {
  readonly #seen = new Set<string>();

  /** The points of new batches. */
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
