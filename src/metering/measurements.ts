import type { MetricPoint } from './backend.ts';

interface MeasurementSpec {
  readonly kind: MetricPoint['kind'];
  /** Besides `task`, which every point has. */
  readonly tags: readonly string[];
  readonly help: string;
}

const STEP = ['step', 'kind'];
const CONNECTOR = ['connector', 'type'];

/**
 * The measurements of every run, by name. Counters and timings are reported once, at the end of a run, so that none counts
 * twice; during a run only gauges are reported, which show the current state and are never added up.
 */
export const MEASUREMENTS = {
  'task.duration_ms': {
    kind: 'timing',
    tags: ['status'],
    help: 'From start to end; `status` is success, warning, error, cancelled or skipped',
  },
  'task.items_out': { kind: 'counter', tags: [], help: 'Rows that loads have committed' },
  'step.duration_ms': {
    kind: 'timing',
    tags: [...STEP, 'status'],
    help: 'Wall-clock time of the last try of the step',
  },
  'step.item_duration_ms': { kind: 'timing', tags: STEP, help: 'Mean time at work per item' },
  'step.item_duration_p50_ms': { kind: 'timing', tags: STEP, help: 'Median time at work per item' },
  'step.item_duration_p95_ms': { kind: 'timing', tags: STEP, help: '95th percentile of the time per item' },
  'step.item_duration_max_ms': { kind: 'timing', tags: STEP, help: 'Longest time at work for an item' },
  'step.rows_in': { kind: 'counter', tags: STEP, help: 'Items that came in' },
  'step.rows_out': { kind: 'counter', tags: STEP, help: 'Items that went out' },
  'step.errors': {
    kind: 'counter',
    tags: STEP,
    help: 'Items that failed, and one more if the step itself did',
  },
  'step.skipped': { kind: 'counter', tags: STEP, help: 'Items that a condition left out' },
  'step.in_flight_max': { kind: 'gauge', tags: STEP, help: 'Most connector calls at one time' },
  'step.in_flight': { kind: 'gauge', tags: STEP, help: 'Connector calls under way; while the step runs' },
  'step.rows_in_so_far': { kind: 'gauge', tags: STEP, help: 'Items in until now; while the step runs' },
  'step.rows_out_so_far': { kind: 'gauge', tags: STEP, help: 'Items out until now; while the step runs' },
  'connector.calls': { kind: 'counter', tags: CONNECTOR, help: 'Calls; a read counts once for each batch' },
  'connector.duration_ms': {
    kind: 'timing',
    tags: CONNECTOR,
    help: 'Time waited for the connector, all calls together',
  },
  'connector.errors': { kind: 'counter', tags: CONNECTOR, help: 'Calls that failed' },
} as const satisfies Record<string, MeasurementSpec>;

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
