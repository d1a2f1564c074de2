import type { MetricPoint } from '../../../src/metering/backend.ts';

export const NOW = Date.parse('2026-01-15T12:00:00Z');

export type Reported = Pick<MetricPoint, 'name' | 'kind' | 'value' | 'tags'>;

/** What the engine reports at the end of a run. */
export function reportOf(status: string, durationMs: number, items: number): Reported[] {
  const step = { step: 'read', kind: 'extract' };
  const connector = { connector: 'crm', type: 'csv' };
  return [
    { name: 'task.duration_ms', kind: 'timing', value: durationMs, tags: { status } },
    { name: 'task.items_out', kind: 'counter', value: items, tags: {} },
    { name: 'step.duration_ms', kind: 'timing', value: durationMs / 2, tags: { ...step, status } },
    { name: 'step.rows_in', kind: 'counter', value: items, tags: step },
    { name: 'step.rows_out', kind: 'counter', value: items, tags: step },
    { name: 'step.errors', kind: 'counter', value: status === 'error' ? 1 : 0, tags: step },
    { name: 'connector.calls', kind: 'counter', value: 2, tags: connector },
    { name: 'connector.duration_ms', kind: 'timing', value: 30, tags: connector },
  ];
}

/** The same with what is measured per item. */
export function itemReportOf(mean: number, p50: number, p95: number, max: number): Reported[] {
  const tags = { step: 'read', kind: 'extract' };
  const timing = (name: string, value: number) => ({ name, kind: 'timing' as const, value, tags });
  return [
    timing('step.item_duration_ms', mean),
    timing('step.item_duration_p50_ms', p50),
    timing('step.item_duration_p95_ms', p95),
    timing('step.item_duration_max_ms', max),
    { name: 'step.in_flight_max', kind: 'gauge', value: 3, tags },
  ];
}

export interface RunOptions {
  readonly run: number;
  readonly at?: number;
  readonly attempt?: number;
  readonly task?: number;
  readonly batch?: number;
}

export function pointsOf(
  { run, at = NOW, attempt = 1, task = 7, batch = 1 }: RunOptions,
  reported: readonly Reported[],
): MetricPoint[] {
  return reported.map((metric, index) => ({
    ...metric,
    ...{ run_id: run, attempt, batch_seq: batch, index, task_id: task, task_name: 'orders', at },
  }));
}
