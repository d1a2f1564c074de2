import type { MetricPoint } from './backend.ts';

/**
 * The measurements of every run, by name. Counters and timings are reported once, at the end of a run, so that none counts
 * twice; during a run only gauges are reported, which show the current state and are never added up. Every point has the tag
 * `task`.
 *
 * | name | kind | tags besides `task` | sent | what | |---|---|---|---|---| | `task.duration_ms` | timing | `status` | end |
 * from start to end; `status` is how it ended: success, warning, error, cancelled, skipped | | `task.items_out` | counter | |
 * end | rows that loads have committed | | `step.duration_ms` | timing | `step`, `kind`, `status` | end | wall-clock time of
 * the step's last try | | `step.item_duration_ms` | timing | `step`, `kind` | end | mean time at work per item | |
 * `step.item_duration_p50_ms`, `…_p95_ms`, `…_max_ms` | timing | `step`, `kind` | end | of the step's histogram of time per
 * item | | `step.rows_in`, `step.rows_out` | counter | `step`, `kind` | end | items in and out | | `step.errors` | counter |
 * `step`, `kind` | end | items that failed, and one more where the step itself did | | `step.skipped` | counter | `step`,
 * `kind` | end | items that a condition left out | | `step.in_flight_max` | gauge | `step`, `kind` | end | most connector calls
 * of the step at one time | | `step.in_flight` | gauge | `step`, `kind` | while it runs | connector calls under way | |
 * `step.rows_in_so_far`, `step.rows_out_so_far` | gauge | `step`, `kind` | while it runs | items in and out until now | |
 * `connector.calls`, `connector.errors` | counter | `connector`, `type` | end | calls (a read counts once for each batch), and
 * those that failed | | `connector.duration_ms` | timing | `connector`, `type` | end | time waited for the connector, all calls
 * together |
 */
export const MEASUREMENTS = {
  'task.duration_ms': 'timing',
  'task.items_out': 'counter',
  'step.duration_ms': 'timing',
  'step.item_duration_ms': 'timing',
  'step.item_duration_p50_ms': 'timing',
  'step.item_duration_p95_ms': 'timing',
  'step.item_duration_max_ms': 'timing',
  'step.rows_in': 'counter',
  'step.rows_out': 'counter',
  'step.errors': 'counter',
  'step.skipped': 'counter',
  'step.in_flight_max': 'gauge',
  'step.in_flight': 'gauge',
  'step.rows_in_so_far': 'gauge',
  'step.rows_out_so_far': 'gauge',
  'connector.calls': 'counter',
  'connector.duration_ms': 'timing',
  'connector.errors': 'counter',
} as const satisfies Record<string, MetricPoint['kind']>;

export type Measurement = keyof typeof MEASUREMENTS;

/** The columns of stored results of steps and connectors, with the measurement that each sums up. */
export const STEP_SUMS = {
  duration_ms: 'step.duration_ms',
  rows_in: 'step.rows_in',
  rows_out: 'step.rows_out',
  errors: 'step.errors',
  skipped: 'step.skipped',
} as const satisfies Record<string, Measurement>;

/** Columns with the value itself; null if it was not measured. */
export const STEP_VALUES = {
  item_ms: 'step.item_duration_ms',
  item_p50_ms: 'step.item_duration_p50_ms',
  item_p95_ms: 'step.item_duration_p95_ms',
  item_max_ms: 'step.item_duration_max_ms',
  in_flight_max: 'step.in_flight_max',
} as const satisfies Record<string, Measurement>;

export const CONNECTOR_SUMS = {
  calls: 'connector.calls',
  duration_ms: 'connector.duration_ms',
  errors: 'connector.errors',
} as const satisfies Record<string, Measurement>;

/** The measurements that make up the results of runs. */
export const RESULT_MEASUREMENTS: readonly Measurement[] = [
  'task.duration_ms',
  'task.items_out',
  ...Object.values(STEP_SUMS),
  ...Object.values(STEP_VALUES),
  ...Object.values(CONNECTOR_SUMS),
];
const KEPT_AS_RESULTS: ReadonlySet<string> = new Set(RESULT_MEASUREMENTS);

/** Whether a point of this name changes the results of its attempt. */
export function changesResults(name: string): boolean {
  return KEPT_AS_RESULTS.has(name);
}

/** The subject of a point: the tag `step` of a `step.*`, `connector` of a `connector.*`; empty for others. */
export function subjectOf({ name, tags }: Pick<MetricPoint, 'name' | 'tags'>): string {
  if (name.startsWith('step.')) return tags['step'] ?? '';
  if (name.startsWith('connector.')) return tags['connector'] ?? '';
  return '';
}
