const PER_DOUBLING = 8;
/** Ten nanoseconds; what is quicker counts as this. */
const SMALLEST_MS = 0.000_01;
/** Up to some twelve days. */
const BUCKETS = 46 * PER_DOUBLING;

/**
 * Time per item, in eight buckets for each doubling: percentiles are right to within 5 % of the batches. Fed once for a batch
 * with the batch's mean, weighted by its items, so that it costs nothing per row.
 */
export class ItemHistogram {
  #counts: Float64Array | null = null;
  #items = 0;
  #totalMs = 0;
  #maxMs = 0;

  /** A batch of `items` took `ms` together. */
  add(items: number, ms: number): void {
    if (items <= 0 || !(ms >= 0)) return;
    const each = ms / items;
    this.#counts ??= new Float64Array(BUCKETS);
    const bucket = bucketOf(each);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + items;
    this.#items += items;
    this.#totalMs += ms;
    if (each > this.#maxMs) this.#maxMs = each;
  }

  /** null before the first item. Milliseconds per item; percentiles by nearest rank. */
  summary(): {
    readonly mean: number;
    readonly p50: number;
    readonly p95: number;
    readonly max: number;
  } | null {
    if (this.#items === 0) return null;
    const mean = this.#totalMs / this.#items;
    return { mean, p50: this.#rank(0.5), p95: this.#rank(0.95), max: this.#maxMs };
  }

  clear(): void {
    this.#counts = null;
    this.#items = 0;
    this.#totalMs = 0;
    this.#maxMs = 0;
  }

  #rank(share: number): number {
    const wanted = share * this.#items;
    let seen = 0;
    for (const [bucket, count] of (this.#counts ?? []).entries()) {
      seen += count;
      if (count > 0 && seen >= wanted) return Math.min(this.#maxMs, middleOf(bucket));
    }
    return this.#maxMs;
  }
}

function bucketOf(ms: number): number {
  if (ms <= SMALLEST_MS) return 0;
  return Math.min(BUCKETS - 1, Math.floor(Math.log2(ms / SMALLEST_MS) * PER_DOUBLING));
}

function middleOf(bucket: number): number {
  return SMALLEST_MS * 2 ** ((bucket + 0.5) / PER_DOUBLING);
}

/** What is measured of one step besides its rows. */
export class StepMeter {
  readonly items = new ItemHistogram();
  /** Connector calls under way, and the most that there were at one time. */
  inFlight = 0;
  inFlightMax = 0;

  callBegins(): void {
    this.inFlight++;
    if (this.inFlight > this.inFlightMax) this.inFlightMax = this.inFlight;
  }

  callEnds(): void {
    this.inFlight--;
  }
}
