import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { pageQuery, runSort } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { labelFilter } from '../definitions/label.ts';
import { registerRunPartRoutes } from './parts/run-part-routes.ts';
import { RUN_STATUSES } from './run.ts';
import { CANCEL_GRACE_DEFAULT_MS, CANCEL_GRACE_MAX_MS, type CancelRequest } from './run-cancel.ts';
import type { Runs } from './run-service.ts';
import { selectHistory, selectRuns, selectShownRun, selectSteps } from './run-store.ts';
import { executorOf, runExecutor, runTimings, selectAttempts, timingsOf } from './shown/run-timings.ts';
import { toListedRun, toRun } from './shown/shown-run.ts';
import { stepRecord, toStep } from './shown/step-record.ts';

export const runError = z
  .object({ code: z.string(), message: z.string(), step: z.string().nullable() })
  .meta({ id: 'RunError' });

export const runRecord = z
  .object({
    id: z.number().int(),
    task_id: z.number().int().nullable(),
    task_name: z.string(),
    task_version: z.number().int(),
    child_tasks: z
      .array(z.object({ name: z.string(), task_id: z.number().int(), task_version: z.number().int() }))
      .describe('The tasks run by its `run_task` steps, with their versions'),
    job_run_id: z.number().int().nullable(),
    job_id: z.number().int().nullable(),
    task_key: z.string().nullable(),
    status: z.enum(RUN_STATUSES),
    reason: z.string(),
    attempt: z.number().int(),
    max_attempts: z.number().int(),
    executor_id: z.number().int().nullable(),
    args: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'What the task received, with its defaults, without secrets. Null if it is not known: a run of a job that has not ended, or one that was lost',
      ),
    config_snapshot: z.record(z.string(), z.unknown()),
    progress: z
      .object({
        step_id: z.string(),
        rows_in: z.number(),
        rows_out: z.number(),
        rows_failed: z.number(),
        rows_per_second: z.number(),
        ratio: z.number().nullable(),
      })
      .nullable(),
    items: z.object({
      in: z.number(),
      out: z.number(),
      failed: z.number(),
      skipped: z.number().describe('Skipped by a condition of a step'),
      filtered: z.number().describe('Dropped by a `filter`'),
      deleted: z.number().describe('Missing rows of a target: removed, marked or ended by `delete_missing`'),
    }),
    error: runError.nullable(),
    outputs: z
      .unknown()
      .describe(
        'What the `outputs` of the task gave, by name, without secrets. Null if it has none, if the run has not ended well, or if they are too large',
      ),
    rerun_of: z.number().int().nullable(),
    replay: z
      .object({
        step_id: z.string(),
        letters: z.number().int().describe('Number of replayed rows'),
      })
      .nullable()
      .describe('Set if the run replays dead letters of `rerun_of`'),
    scheduled_for: z.string().nullable(),
    created_at: z.string(),
    available_at: z.string(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    duration_ms: z.number().nullable(),
  })
  .meta({ id: 'Run' });

const listedRun = runRecord
  .extend({
    job_name: z.string().nullable().describe('Null for a run without a job'),
    job_labels: z.record(z.string(), z.string()).describe('Labels of the job, as they are now'),
  })
  .meta({ id: 'ListedRun' });

const historyEntry = z.object({
  at: z.string(),
  from_status: z.string().nullable(),
  to_status: z.string(),
  reason: z.string(),
  attempt: z.number().int(),
});
const runDetail = listedRun
  .extend({
    executor: runExecutor,
    timings: runTimings,
    status_history: z.array(historyEntry),
    helps: z
      .object({ run_id: z.number().int(), step_id: z.string() })
      .nullable()
      .describe('Set if it works on parts of another run. Lists omit such runs'),
  })
  .meta({ id: 'RunDetail' });

const listQuery = pageQuery.extend({
  sort: runSort,
  status: z.enum(RUN_STATUSES).optional(),
  task_id: z.coerce.number().int().optional(),
  job_id: z.coerce.number().int().optional(),
  job_run_id: z.coerce.number().int().optional(),
  label: labelFilter,
});

export const cancelBody = z
  .strictObject({
    mode: z.enum(['graceful', 'force']).default('graceful'),
    grace_seconds: z
      .number()
      .min(0)
      .max(CANCEL_GRACE_MAX_MS / 1_000)
      .default(CANCEL_GRACE_DEFAULT_MS / 1_000),
  })
  .prefault({});

export function cancelOf({ mode, grace_seconds }: z.output<typeof cancelBody>): CancelRequest {
  return { mode, graceMs: Math.round(grace_seconds * 1_000) };
}

export const DELETED_IN_BACKGROUND =
  'It is gone from every answer at once. Its logs, metrics and other rows are deleted in the background, in small pieces.';

const group = { tag: 'Runs', read: member('viewer', 'runs:read'), write: member('operator', 'runs:run') };

export interface RunRoutesDeps {
  readonly store: Store;
  readonly runs: Runs;
}

export function registerRunRoutes(app: App, deps: RunRoutesDeps): void {
  const routes = new Routes(app, group);
  registerReads(routes, deps);
  registerChanges(routes, deps);
}

function registerReads(routes: Routes, { store }: RunRoutesDeps): void {
  routes.list(
    '/api/runs',
    { id: 'listRuns', summary: 'Runs, newest first', query: listQuery, answer: listedRun },
    ({ query }, paging) => selectRuns(store.read, query, paging),
    toListedRun,
  );

  routes.get(
    '/api/runs/:id',
    {
      id: 'getRun',
      summary: 'One run with its executor, timings and history',
      answer: runDetail,
      record: runDetail,
    },
    async (request) => {
      const { id } = request.params;
      const row = requireFound(await selectShownRun(store.read, id), 'run', id);
      const history = await selectHistory(store.read, row.id);
      const attempts = await selectAttempts(store.read, row.id);
      return {
        ...toListedRun(row),
        executor: executorOf(attempts),
        timings: timingsOf(row, attempts),
        status_history: history.map((entry) => ({ ...entry, at: timestamp(entry.at) })),
        helps: row.helps_run_id === null ? null : { run_id: row.helps_run_id, step_id: row.helps_step ?? '' },
      };
    },
  );

  routes.list(
    '/api/runs/:id/steps',
    {
      id: 'listRunSteps',
      summary: 'The steps of the latest attempt that ended, in their order',
      query: pageQuery,
      answer: stepRecord,
    },
    async ({ params }, paging) => {
      requireFound(await selectShownRun(store.read, params.id), 'run', params.id);
      return selectSteps(store.read, params.id, paging);
    },
    toStep,
    'id',
  );

  registerRunPartRoutes(routes, store);
}

function registerChanges(routes: Routes, { runs }: RunRoutesDeps): void {
  routes.post(
    '/api/runs/:id/cancel',
    {
      id: 'cancelRun',
      summary: 'Ask a run to stop; it ends by itself or after the grace period',
      body: cancelBody,
      answers: { 202: runRecord },
      errors: ['CONFLICT'],
    },
    async (request) => {
      const run = await runs.cancel(request.params.id, cancelOf(request.body), actorOf(request));
      return toRun(run);
    },
  );

  routes.delete(
    '/api/runs/:id',
    {
      id: 'deleteRun',
      summary: 'Delete a completed run with its logs and metrics',
      description: DELETED_IN_BACKGROUND,
      errors: ['CONFLICT'],
    },
    async (request) => runs.remove(request.params.id, actorOf(request)),
  );
}
