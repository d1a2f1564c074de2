import { timestamp } from '../../base/clock.ts';
import { CONNECTOR_USE_SOURCES } from '../../base/connectors/connector-use.ts';
import { BUCKET_MS, type CallBucket, DAY_MS, HOUR_MS, sumOf } from './connector-health.ts';

/** How far back is looked, and what is one point of a chart of it. */
export const RANGES = {
  '1h': { ms: HOUR_MS, bucketMs: BUCKET_MS },
  '24h': { ms: DAY_MS, bucketMs: 6 * BUCKET_MS },
  '7d': { ms: 7 * DAY_MS, bucketMs: 3 * HOUR_MS },
  '30d': { ms: 30 * DAY_MS, bucketMs: 12 * HOUR_MS },
} as const;
export type Range = keyof typeof RANGES;

/** The calls of a range that ends now: sums, by source, and over time with the buckets without any. */
export function shownBuckets(all: readonly CallBucket[], range: Range, now: number) {
  const { ms, bucketMs } = RANGES[range];
  const last = Math.floor(now / bucketMs) * bucketMs;
  const first = last - ms + bucketMs;
  const buckets = all.filter(({ bucket_at }) => bucket_at >= first && bucket_at < last + bucketMs);
  const bySource = CONNECTOR_USE_SOURCES.map((source) => [
    source,
    sumOf(buckets.filter((bucket) => bucket.source === source)),
  ]);
  const sums = Map.groupBy(buckets, ({ bucket_at }) => Math.floor(bucket_at / bucketMs) * bucketMs);
  return {
    totals: sumOf(buckets),
    sources: Object.fromEntries(bySource) as Record<
      (typeof CONNECTOR_USE_SOURCES)[number],
      ReturnType<typeof sumOf>
    >,
    bucket_ms: bucketMs,
    buckets: Array.from({ length: ms / bucketMs }, (_, index) => {
      const at = first + index * bucketMs;
      const { calls, errors } = sumOf(sums.get(at) ?? []);
      return { at: timestamp(at), calls, errors };
    }),
  };
}
