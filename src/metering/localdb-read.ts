import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type {
  ConnectorSummary,
  DailyResult,
  MetricPoint,
  RunMetrics,
  StepSummary,
  StoredMetrics,
  TaskSummary,
} from './backend.ts';

/** The questions that a metrics file answers. Each blocks its thread: milliseconds over 90 days of a run a minute. */
export function readLocaldb(database: DatabaseSync): Omit<StoredMetrics, 'removeRun'> {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return <Row>(...values: SQLInputValue[]) => statement.all(...values) as Row[];
  };
  const daily = prepare(DAILY);
  const totals = prepare(TOTALS);
  const rank = prepare(RANK);
  const taskSteps = prepare(`${STEPS} where task_id = ? and at >= ? group by step order by step`);
  const taskConnectors = prepare(
    `${CONNECTORS} where task_id = ? and at >= ? group by connector order by connector`,
  );
  const runResult = prepare(
    'select attempt, status, duration_ms, cast(items as integer) as items from runs where run_id = ? and status is not null',
  );
  const runSteps = prepare(`${STEPS} where run_id = ? group by step order by step`);
  const runConnectors = prepare(`${CONNECTORS} where run_id = ? group by connector order by connector`);
  const runPoints = prepare(POINTS);

  function durationAt(taskId: number, since: number, runs: number, share: number): number | null {
    const offset = Math.max(0, Math.ceil(share * runs) - 1);
    return rank<{ duration_ms: number }>(taskId, since, offset)[0]?.duration_ms ?? null;
  }

  return {
    daily: (taskId, since) => daily<DailyResult>(taskId, since).map((row) => ({ ...row })),
    summary(taskId, since): TaskSummary {
      const [row] = totals<TaskSummary['totals'] & { avg: number | null; max: number | null }>(taskId, since);
      const { avg, max, ...counts } = row ?? NOTHING;
      const p50 = durationAt(taskId, since, counts.runs, 0.5);
      const p95 = durationAt(taskId, since, counts.runs, 0.95);
      return {
        totals: counts,
        durations: { avg, p50, p95, max },
        steps: taskSteps<StepSummary>(taskId, since),
        connectors: taskConnectors<ConnectorSummary>(taskId, since),
      };
    },
    run(runId, limit): RunMetrics {
      const result = runResult<NonNullable<RunMetrics['result']>>(runId)[0] ?? null;
      const points = runPoints<PointRow>(runId, limit).map(({ tags_json, ...point }) => ({
        ...point,
        tags: JSON.parse(tags_json) as Record<string, string>,
      }));
      return {
        result,
        steps: runSteps<StepSummary>(runId),
        connectors: runConnectors<ConnectorSummary>(runId),
        points,
      };
    },
  };
}

type PointRow = Pick<MetricPoint, 'attempt' | 'name' | 'kind' | 'value' | 'at'> & {
  readonly tags_json: string;
};

const COUNTS = { runs: 0, success: 0, warning: 0, error: 0, cancelled: 0, skipped: 0, items: 0 };
const NOTHING = { ...COUNTS, avg: null, max: null };

const DAILY = `
  select strftime('%Y-%m-%d', at / 86400000 * 86400, 'unixepoch') as day,
    sum(status in ('success', 'warning')) as success, sum(status = 'error') as error,
    coalesce(avg(case when status in ('success', 'warning', 'error') then duration_ms end), 0) as avg_duration_ms,
    cast(total(items) as integer) as total_items
  from runs where task_id = ? and at >= ? and status is not null
  group by at / 86400000 order by at / 86400000`;

const TOTALS = `
  select count(*) as runs, coalesce(sum(status = 'success'), 0) as success,
    coalesce(sum(status = 'warning'), 0) as warning, coalesce(sum(status = 'error'), 0) as error,
    coalesce(sum(status = 'cancelled'), 0) as cancelled, coalesce(sum(status = 'skipped'), 0) as skipped,
    cast(total(items) as integer) as items, avg(duration_ms) as avg, max(duration_ms) as max
  from runs where task_id = ? and at >= ? and status is not null`;

const RANK = `
  select duration_ms from runs where task_id = ? and at >= ? and status is not null
  order by duration_ms limit 1 offset ?`;

const STEPS = `
  select step, max(kind) as kind, count(*) as executions, avg(duration_ms) as avg_duration_ms,
    max(duration_ms) as max_duration_ms,
    case when total(rows_in) > 0 then total(case when rows_in > 0 then duration_ms end) / total(rows_in) end
      as avg_item_duration_ms,
    cast(total(rows_in) as integer) as rows_in, cast(total(rows_out) as integer) as rows_out,
    cast(total(errors) as integer) as errors, cast(total(skipped) as integer) as skipped
  from step_results`;

const CONNECTORS = `
  select connector, max(type) as type, cast(total(calls) as integer) as calls, total(duration_ms) as duration_ms,
    case when total(calls) > 0 then total(duration_ms) / total(calls) end as avg_call_ms,
    cast(total(errors) as integer) as errors
  from connector_results`;

const POINTS = `
  select attempt, name, kind, value, tags_json, at from points
  where run_id = ? order by attempt, batch_seq, idx limit ?`;
