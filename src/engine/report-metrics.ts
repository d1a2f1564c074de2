import type { RunOutcome } from './run.ts';
import type { RunState } from './run-state.ts';

/**
 * What the contract measures, once at the end of a run. Per task: `task.duration_ms` (tagged with the status) and
 * `task.items_out`. Per step: `step.duration_ms`, `step.item_duration_ms` (the mean), `step.rows_in`, `step.rows_out`,
 * `step.errors`, `step.skipped`. Per connector: `connector.calls`, `connector.duration_ms`, `connector.errors`.
 */
export function reportMetrics(run: RunState, outcome: RunOutcome, startedAt: number): void {
  const task = run.plan.task.name;
  const { metric } = run.ports;
  const timing = (name: string, value: number, tags: Record<string, string>) =>
    metric({ name, kind: 'timing', value, tags: { task, ...tags } });
  const counter = (name: string, value: number, tags: Record<string, string>) =>
    metric({ name, kind: 'counter', value, tags: { task, ...tags } });

  timing('task.duration_ms', run.context.clock.now() - startedAt, { status: outcome.status });
  counter('task.items_out', outcome.rowsOut, {});
  for (const step of outcome.steps) {
    if (step.attempts === 0) continue;
    const tags = { step: step.stepId, kind: step.kind };
    const durationMs = Math.max(0, step.endedAt - step.startedAt);
    timing('step.duration_ms', durationMs, { ...tags, status: step.status });
    if (step.rowsIn > 0) timing('step.item_duration_ms', durationMs / step.rowsIn, tags);
    counter('step.rows_in', step.rowsIn, tags);
    counter('step.rows_out', step.rowsOut, tags);
    counter('step.errors', step.rowsFailed + (step.status === 'error' ? 1 : 0), tags);
    counter('step.skipped', step.rowsSkipped, tags);
  }
  for (const [connector, counts] of run.tally.counts) {
    const tags = { connector, type: run.plan.task.connectors[connector]?.type ?? '' };
    counter('connector.calls', counts.calls, tags);
    timing('connector.duration_ms', counts.durationMs, tags);
    counter('connector.errors', counts.errors, tags);
  }
}
