import { z } from 'zod';
import { type Clock, timestamp } from '../../base/clock.ts';
import { AppError, notFound, requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { StoredMetrics, TaskSummary } from '../../metering/backend.ts';
import type { Store } from '../../store/store.ts';
import type { TaskRecord } from '../tasks/task.ts';
import { selectTask } from '../tasks/task-store.ts';
import { runExists } from './metrics-config-store.ts';
import type { Metrics } from './metrics-service.ts';

const DAYS_DEFAULT = 30;
const DAYS_MAX = 90;
const DAY_MS = 86_400_000;
const RUN_POINTS_MAX = 1_000;

const count = z.number().int();
const point = z.object({
  day: z.string().describe('A date, in UTC'),
  success: count.describe('Runs that ended with success or warning'),
  error: count,
  avg_duration_ms: z.number(),
  total_items: count,
});
const timeseries = z.object({ available: z.boolean(), task: z.string(), points: z.array(point) }).meta({
  id: 'MetricsTimeseries',
  examples: [
    {
      available: true,
      task: 'orders',
      points: [{ day: '2026-01-15', success: 23, error: 1, avg_duration_ms: 812.5, total_items: 48_210 }],
    },
  ],
});

const step = z.object({
  step: z.string(),
  kind: z.string(),
  executions: count,
  avg_duration_ms: z.number(),
  max_duration_ms: z.number(),
  avg_item_duration_ms: z.number().nullable(),
  item_p50_ms: z.number().nullable().describe('Median time per item; over several runs, weighted by items'),
  item_p95_ms: z.number().nullable(),
  item_max_ms: z.number().nullable(),
  in_flight_max: count.describe('Maximum concurrent connector calls'),
  rows_in: count,
  rows_out: count,
  errors: count,
  skipped: count,
});
const connector = z.object({
  connector: z.string(),
  type: z.string(),
  calls: count,
  duration_ms: z.number(),
  avg_call_ms: z.number().nullable(),
  errors: count,
});
const duration = z.number().nullable();
const summary = z
  .object({
    available: z.boolean(),
    task: z.string(),
    totals: z.object({
      runs: count,
      success: count,
      warning: count,
      error: count,
      cancelled: count,
      skipped: count,
      items: count,
    }),
    durations: z.object({ avg: duration, p50: duration, p95: duration, max: duration }),
    steps: z.array(step),
    connectors: z.array(connector),
  })
  .meta({ id: 'MetricsSummary' });

const runMetrics = z
  .object({
    available: z.boolean(),
    run_id: count,
    result: z
      .object({ attempt: count, status: z.string(), duration_ms: z.number(), items: count })
      .nullable()
      .describe('The newest attempt that has ended'),
    steps: z.array(step),
    connectors: z.array(connector),
    points: z
      .array(
        z.object({
          attempt: count,
          name: z.string(),
          kind: z.enum(['counter', 'gauge', 'timing']),
          value: z.number(),
          tags: z.record(z.string(), z.string()),
          at: z.string(),
        }),
      )
      .describe(`As reported; the first ${RUN_POINTS_MAX}`),
  })
  .meta({ id: 'RunMetrics' });

const taskParams = z.strictObject({
  taskId: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
});
const daysQuery = z.strictObject({
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(DAYS_MAX)
    .default(DAYS_DEFAULT)
    .describe('The number of days, including today (UTC)'),
});
const group = { tag: 'Metrics', read: member('viewer', 'metrics:read') };

export interface MetricsDataRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

export function registerMetricsDataRoutes(app: App, { store, clock, metrics }: MetricsDataRoutesDeps): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/metrics/data/timeseries/:taskId',
    {
      id: 'getMetricsTimeseries',
      summary: 'Results of a task per day; days without results are left out',
      params: taskParams,
      query: daysQuery,
      answer: timeseries,
      errors: ['NOT_READY'],
    },
    async (request) => {
      const task = await requireTask(store, request.params.taskId);
      const since = sinceDay(clock, request.query.days);
      const points = await ask(metrics, (stored) => stored.daily(task.id, since));
      return { available: points !== null, task: task.name, points: points ?? [] };
    },
  );

  routes.get(
    '/api/metrics/data/summary/:taskId',
    {
      id: 'getMetricsSummary',
      summary: 'Totals, durations, steps and connectors of a task',
      params: taskParams,
      query: daysQuery,
      answer: summary,
      errors: ['NOT_READY'],
    },
    async (request) => {
      const task = await requireTask(store, request.params.taskId);
      const since = sinceDay(clock, request.query.days);
      const kept = await ask(metrics, (stored) => stored.summary(task.id, since));
      const found = kept ?? NO_SUMMARY;
      const lists = { steps: [...found.steps], connectors: [...found.connectors] };
      return { available: kept !== null, task: task.name, ...found, ...lists };
    },
  );

  routes.get(
    '/api/runs/:id/metrics',
    { id: 'getRunMetrics', summary: 'The measurements of a run', answer: runMetrics, errors: ['NOT_READY'] },
    async (request) => {
      const { id } = request.params;
      if (!(await runExists(store.read, id))) throw notFound('run', id);
      const found = await ask(metrics, (stored) => stored.run(id, RUN_POINTS_MAX));
      return {
        available: found !== null,
        run_id: id,
        result: found?.result ?? null,
        steps: [...(found?.steps ?? [])],
        connectors: [...(found?.connectors ?? [])],
        points: (found?.points ?? []).map((one) => ({
          ...one,
          tags: { ...one.tags },
          at: timestamp(one.at),
        })),
      };
    },
  );
}

/** null if nothing is stored; `NOT_READY` if the store cannot be queried now. */
async function ask<T>(metrics: Metrics, question: (stored: StoredMetrics) => Promise<T>): Promise<T | null> {
  const stored = await metrics.stored();
  if (stored === null) return null;
  return question(stored).catch((cause: unknown) => {
    throw new AppError('NOT_READY', 'The stored metrics cannot be read now: try again', { cause });
  });
}

async function requireTask(store: Store, id: number): Promise<TaskRecord> {
  return requireFound(await selectTask(store.read, id), 'task', id);
}

/** The first millisecond of the UTC day `days` - 1 days before today. */
function sinceDay(clock: Clock, days: number): number {
  return (Math.floor(clock.now() / DAY_MS) - (days - 1)) * DAY_MS;
}

const NO_SUMMARY: TaskSummary = {
  totals: { runs: 0, success: 0, warning: 0, error: 0, cancelled: 0, skipped: 0, items: 0 },
  durations: { avg: null, p50: null, p95: null, max: null },
  steps: [],
  connectors: [],
};
