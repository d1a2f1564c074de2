import { z } from 'zod';
import { WakeSignal } from '../../base/concurrency/wake-signal.ts';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { mediaAnswer } from '../../http/operation.ts';
import { pageQuery, runSort } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { type EventStream, eventStreamText, openEventStream } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import { actorOf } from '../audit/audit.ts';
import { labelFilter } from '../definitions/label.ts';
import { dagSchema } from '../job-templates/job-template-routes.ts';
import { isActive } from '../runs/run.ts';
import type { RunNotifications } from '../runs/run-notifications.ts';
import { cancelBody, cancelOf, DELETED_IN_BACKGROUND, runError, runRecord } from '../runs/run-routes.ts';
import { selectNodeStates, selectRunsOfJobRun } from '../runs/run-store.ts';
import { toRun } from '../runs/shown/shown-run.ts';
import { JOB_RUN_STATUSES, toJobRun } from './job-run.ts';
import type { JobRuns } from './job-run-service.ts';
import { selectJobRun, selectJobRunState } from './job-run-store.ts';
import { selectJobRuns, selectShownJobRun } from './shown-job-run-store.ts';

const jobRunError = runError
  .extend({
    task: z.string().nullable().describe('The key of the task that failed; null if none was started'),
    run_id: z.number().int().nullable().describe('The run of that task, for its log'),
  })
  .meta({ id: 'JobRunError' });

export const jobRunRecord = z
  .object({
    id: z.number().int(),
    job_id: z.number().int(),
    job_name: z.string(),
    job_labels: z.record(z.string(), z.string()).describe('Labels of the job, as they are now'),
    job_template_id: z.number().int(),
    job_template_name: z.string(),
    trigger_id: z.number().int().nullable(),
    trigger_name: z.string().nullable().describe('Null if no trigger started it, or it was deleted'),
    scheduled_for: z.string().nullable(),
    interval_start: z.string().nullable().describe('The scheduled time before scheduled_for'),
    backfill_id: z.number().int().nullable(),
    priority: z.number().int(),
    deadline_at: z
      .string()
      .nullable()
      .describe('If it is still active then, it ends as an error with the reason timeout'),
    sla_at: z
      .string()
      .nullable()
      .describe('If it has not succeeded by then, it is late; null if its template has no sla'),
    late_at: z
      .string()
      .nullable()
      .describe(
        'When it was reported as late. Null if it is not: it, or a rerun of it, succeeded in time, or it was cancelled',
      ),
    reused: z
      .record(z.string(), z.object({ run_id: z.number().int(), status: z.string(), reason: z.string() }))
      .describe('In a rerun: tasks that were not run again, with the earlier run whose outcome counts'),
    rerun_of: z.number().int().nullable(),
    status: z.enum(JOB_RUN_STATUSES),
    reason: z.string(),
    error: jobRunError
      .nullable()
      .describe(
        'Once it has ended with an error or a warning: the first failure of a task that must not fail, else of one that may. Null if none failed',
      ),
    args: z.record(z.string(), z.unknown()),
    config_snapshot: z.record(z.string(), z.unknown()),
    created_at: z.string(),
    created_by: z.string().nullable(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    duration_ms: z.number().nullable(),
  })
  .meta({ id: 'JobRun' });

const jobRunDetail = jobRunRecord
  .extend({
    dag: dagSchema.describe('The graph of this job run, regardless of later changes to its job'),
    levels: z.array(z.array(z.string())),
    runs: z.array(runRecord),
  })
  .meta({ id: 'JobRunDetail' });

const jobRunState = jobRunRecord.pick({ id: true, status: true, reason: true });
/** The data of the stream's events. */
const jobRunEvents = {
  run: runRecord.pick({ id: true, task_key: true, status: true, reason: true }),
  status: jobRunState,
  end: jobRunState.describe('The last event'),
};

const time = z.iso.datetime({ offset: true });
const listQuery = pageQuery.extend({
  sort: runSort,
  job_id: z.coerce.number().int().optional(),
  job_template_id: z.coerce.number().int().optional(),
  trigger_id: z.coerce.number().int().optional().describe('Only those that this trigger started'),
  label: labelFilter,
  status: z.enum(JOB_RUN_STATUSES).optional(),
  created_from: time.optional().describe('Created at or after this time'),
  created_to: time.optional().describe('Created before this time'),
});
const group = { tag: 'Job Runs', read: member('viewer', 'runs:read'), write: member('operator', 'runs:run') };

export interface JobRunRoutesDeps {
  readonly store: Store;
  readonly jobRuns: JobRuns;
  readonly notifications: RunNotifications;
}

export function registerJobRunRoutes(app: App, deps: JobRunRoutesDeps): void {
  const routes = new Routes(app, group);
  registerReads(app, deps);
  registerChanges(routes, deps);
}

function registerReads(app: App, { store, notifications }: JobRunRoutesDeps): void {
  const routes = new Routes(app, group);
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());
  routes.list(
    '/api/job-runs',
    {
      id: 'listJobRuns',
      summary: 'Job runs, newest first',
      query: listQuery,
      answer: jobRunRecord,
    },
    ({ query }, paging) => selectJobRuns(store.read, query, paging),
    toJobRun,
  );

  routes.get(
    '/api/job-runs/:id',
    {
      id: 'getJobRun',
      summary: 'One job run with its task runs and the levels of its DAG',
      answer: jobRunDetail,
      record: jobRunDetail,
    },
    async (request) => {
      const row = await selectJobRun(store.read, request.params.id);
      if (row === null) throw notFound('job run', request.params.id);
      const { dag, levels } = JSON.parse(row.parsed_json) as TemplateInfo;
      const found = await selectRunsOfJobRun(store.read, row.id);
      const shown = await selectShownJobRun(store.read, row.id);
      return { ...toJobRun(shown), dag, levels, runs: found.map(toRun) };
    },
  );

  routes.get(
    '/api/job-runs/:id/events',
    {
      id: 'streamJobRunEvents',
      summary: 'Follow a job run: events status, run (one of its task runs), end',
      answer: mediaAnswer('Events until the job run has ended', {
        'text/event-stream': eventStreamText('JobRunEvent', jobRunEvents),
      }),
    },
    async (request, reply) => {
      const row = await selectJobRun(store.read, request.params.id);
      if (row === null) throw notFound('job run', request.params.id);
      await streamJobRun(openEventStream(request, reply, stopping.signal), row.id, {
        store,
        notifications,
      });
    },
  );
}

function registerChanges(routes: Routes, { store, jobRuns }: JobRunRoutesDeps): void {
  routes.post(
    '/api/job-runs/:id/cancel',
    {
      id: 'cancelJobRun',
      summary: 'Cancel every task run of a job run',
      body: cancelBody,
      answers: { 202: jobRunRecord },
      errors: ['CONFLICT'],
    },
    async (request) => {
      const { id } = await jobRuns.cancel(request.params.id, cancelOf(request.body), actorOf(request));
      return toJobRun(await selectShownJobRun(store.read, id));
    },
  );

  routes.delete(
    '/api/job-runs/:id',
    {
      id: 'deleteJobRun',
      summary: 'Delete a job run that has ended, with its runs, their logs and metrics',
      description: DELETED_IN_BACKGROUND,
      errors: ['CONFLICT'],
    },
    async (request) => jobRuns.remove(request.params.id, actorOf(request)),
  );
}

/** Notifications may be lost, and a node's first one comes before the node is watched: the stream also polls this often. */
const POLL_MS = 1_000;

/** Follows one job run: sends `status` when it changes, `run` when one of its task runs changes, and `end` last. */
async function streamJobRun(
  stream: EventStream,
  id: number,
  { store, notifications }: { readonly store: Store; readonly notifications: RunNotifications },
): Promise<void> {
  const watched = new Map<number, () => void>();
  const wake = new WakeSignal();
  const shown = new Map<number | 'job_run', string>();
  const changed = (key: number | 'job_run', state: string) => {
    const before = shown.get(key);
    shown.set(key, state);
    return before !== state;
  };
  try {
    while (!stream.signal.aborted) {
      // Read before its runs: once it has ended, no run can be missing below.
      const jobRun = await selectJobRunState(store.read, id);
      if (jobRun === null) break;
      const { status, reason } = jobRun;
      const runs = await selectNodeStates(store.read, id);
      for (const run of runs) {
        if (!watched.has(run.id))
          watched.set(
            run.id,
            notifications.subscribe(run.id, () => wake.set()),
          );
        if (changed(run.id, `${run.status}/${run.reason}`)) await stream.send({ event: 'run', data: run });
      }
      if (changed('job_run', `${status}/${reason}`))
        await stream.send({ event: 'status', data: { id, status, reason } });
      if (!isActive(status)) {
        await stream.send({ event: 'end', data: { id, status, reason } });
        break;
      }
      await wake.wait(POLL_MS, stream.signal);
    }
  } finally {
    for (const unsubscribe of watched.values()) unsubscribe();
    stream.end();
  }
}
