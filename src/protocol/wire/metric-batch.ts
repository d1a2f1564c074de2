import { METRIC_TAGS_MAX, METRIC_TEXT_CHARS_MAX, type Metric } from '../../base/run-report.ts';
import type { Lease, MetricAck, MetricBatch } from '../control-plane.ts';
import { toLease, toOutcome } from './lease.ts';
import { boundedText, count, invalid, oneOf, ownEntries, positive } from './scalars.ts';

const KINDS = ['COUNTER', 'GAUGE', 'TIMING'] as const satisfies readonly Uppercase<Metric['kind']>[];

export interface WireMetricBatch {
  readonly lease: Lease | null;
  readonly batch_seq: number;
  readonly metrics: readonly (Omit<Metric, 'kind'> & { readonly kind: string })[];
}

export interface WireMetricAck extends Omit<MetricAck, 'outcome'> {
  readonly outcome: string;
}

function toMetric(wire: WireMetricBatch['metrics'][number], index: number): Metric {
  const kind = oneOf(KINDS, wire.kind, `metrics[${index}].kind`);
  return {
    name: boundedText(wire.name, `metrics[${index}].name`, 1, METRIC_TEXT_CHARS_MAX),
    kind: kind.toLowerCase() as Lowercase<typeof kind>,
    value: wire.value,
    tags: toTags(wire.tags, `metrics[${index}].tags`),
    at: count(wire.at, `metrics[${index}].at`),
  };
}

function toTags(wire: Metric['tags'], path: string): Metric['tags'] {
  const entries = Object.entries(wire);
  if (entries.length > METRIC_TAGS_MAX)
    throw invalid(path, `"${path}" must have at most ${METRIC_TAGS_MAX} tags, not ${entries.length}`);
  for (const text of entries.flat()) boundedText(text, path, 0, METRIC_TEXT_CHARS_MAX);
  return ownEntries(wire);
}

export function toMetricBatch(wire: WireMetricBatch): MetricBatch {
  return {
    lease: toLease(wire.lease),
    batch_seq: positive(wire.batch_seq, 'batch_seq'),
    metrics: wire.metrics.map(toMetric),
  };
}

export function fromMetricBatch(batch: MetricBatch): object {
  return {
    lease: batch.lease,
    batch_seq: batch.batch_seq,
    metrics: batch.metrics.map((metric) => ({ ...metric, kind: metric.kind.toUpperCase() })),
  };
}

export function toMetricAck(wire: WireMetricAck): MetricAck {
  return {
    run_id: wire.run_id,
    attempt: wire.attempt,
    outcome: toOutcome(wire.outcome),
    batch_seq: wire.batch_seq,
  };
}
