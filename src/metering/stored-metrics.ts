import type {
  ConnectorSummary,
  DailyResult,
  MetricPoint,
  RunMetrics,
  StepSummary,
  StoredMetrics,
  TaskSummary,
} from './backend.ts';
import type { MetricsSql } from './metrics-sql.ts';

/** Queries the engine; rows are plain objects. Rejects if it is unavailable. */
export type Query = <Row>(sql: string, values: readonly (number | string)[]) => Promise<Row[]>;

const DAY_MS = 86_400_000;

/** The queries over stored metrics, for either engine. */
export function readMetrics(sql: MetricsSql, query: Query): Omit<StoredMetrics, 'removeRuns'> {
  async function durationAt(
    taskId: number,
    since: number,
    runs: number,
    share: number,
  ): Promise<number | null> {
    const offset = Math.max(0, Math.ceil(share * runs) - 1);
    const [row] = await query<{ duration_ms: number }>(sql.rank, [taskId, since, offset]);
    return row?.duration_ms ?? null;
  }

  return {
    async daily(taskId, since): Promise<DailyResult[]> {
      const rows = await query<DailyRow>(sql.daily, [taskId, since]);
      return rows.map((row) => ({ ...row, day: new Date(row.day * DAY_MS).toISOString().slice(0, 10) }));
    },
    async summary(taskId, since): Promise<TaskSummary> {
      const [row] = await query<TotalsRow>(sql.totals, [taskId, since]);
      const { avg, max, ...counts } = row ?? NOTHING;
      const [p50, p95, steps, connectors] = await Promise.all([
        durationAt(taskId, since, counts.runs, 0.5),
        durationAt(taskId, since, counts.runs, 0.95),
        query<StepSummary>(sql.taskSteps, [taskId, since]),
        query<ConnectorSummary>(sql.taskConnectors, [taskId, since]),
      ]);
      return { totals: counts, durations: { avg, p50, p95, max }, steps, connectors };
    },
    async run(runId, limit): Promise<RunMetrics> {
      const [results, steps, connectors, points] = await Promise.all([
        query<NonNullable<RunMetrics['result']>>(sql.runResult, [runId]),
        query<StepSummary>(sql.runSteps, [runId]),
        query<ConnectorSummary>(sql.runConnectors, [runId]),
        query<PointRow>(sql.runPoints, [runId, limit]),
      ]);
      const shown = points.map(({ tags_json, ...point }) => ({
        ...point,
        tags: JSON.parse(tags_json) as Record<string, string>,
      }));
      return { result: results[0] ?? null, steps, connectors, points: shown };
    },
  };
}

type DailyRow = Omit<DailyResult, 'day'> & { readonly day: number };
type TotalsRow = TaskSummary['totals'] & { readonly avg: number | null; readonly max: number | null };
type PointRow = Pick<MetricPoint, 'attempt' | 'name' | 'kind' | 'value' | 'at'> & {
  readonly tags_json: string;
};

const COUNTS = { runs: 0, success: 0, warning: 0, error: 0, cancelled: 0, skipped: 0, items: 0 };
const NOTHING = { ...COUNTS, avg: null, max: null };
