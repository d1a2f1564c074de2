import { z } from 'zod';
import { member } from '../../../http/access.ts';
import { pageQuery, runSort } from '../../../http/paging.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { toJobRun } from '../../job-runs/job-run.ts';
import { jobRunRecord } from '../../job-runs/job-run-routes.ts';
import { selectJobRuns, selectShownJobRun } from '../../job-runs/shown-job-run-store.ts';
import { requireJob } from '../job-routes.ts';
import type { JobStarts } from './job-starts.ts';

const group = { tag: 'Jobs', read: member('viewer', 'jobs:read'), write: member('operator', 'jobs:run') };

export interface JobStartRoutesDeps {
  readonly store: Store;
  readonly jobStarts: JobStarts;
}

const OVER_LIMIT =
  'If the template’s `concurrency` has no free slot, `on_conflict` decides: queue (it waits, reason awaiting_slot), skip (it is ' +
  'recorded as cancelled, reason overlap), cancel_running (others are cancelled first), fail (409).';

const startInput = z
  .strictObject({
    args: z.record(z.string().max(100), z.unknown()).default({}),
    priority: z.int().min(-100).max(100).default(0).describe('Higher priorities are claimed first'),
    tasks: z
      .array(z.string().min(1).max(100))
      .min(1)
      .max(1_000)
      .optional()
      .describe('Keys of the tasks to run; their dependencies on others count as met. Default: all'),
    config_override: z
      .record(z.string().max(100), z.unknown())
      .optional()
      .describe('Overrides the job’s configuration for this job run; maps are merged'),
  })
  .prefault({});

const rerunInput = z
  .strictObject({
    from: z
      .string()
      .min(1)
      .max(100)
      .default('failed')
      .describe(
        '"start", "failed" (and everything after it), or the key of a task (and everything after it)',
      ),
    use: z.enum(['snapshot', 'current']).default('snapshot'),
  })
  .prefault({});

/** Manual starts and reruns of a job, and its runs. */
export function registerJobStartRoutes(app: App, deps: JobStartRoutesDeps): void {
  const routes = new Routes(app, group);
  registerStarts(routes, deps);
  registerRuns(routes, deps);
}

function registerStarts(routes: Routes, { store, jobStarts }: JobStartRoutesDeps): void {
  routes.post(
    '/api/jobs/:id/runs',
    {
      id: 'startJob',
      summary: 'Run a job now, with its current configuration',
      description: OVER_LIMIT,
      body: startInput,
      answers: { 201: jobRunRecord },
      errors: ['CONFLICT', 'NOT_READY'],
      idempotent: true,
    },
    async (request) => {
      const { id } = await jobStarts.start(request.params.id, request.body, actorOf(request));
      return toJobRun(await selectShownJobRun(store.read, id));
    },
  );

  routes.post(
    '/api/job-runs/:id/rerun',
    {
      id: 'rerunJobRun',
      tag: 'Job Runs',
      summary: 'Repeat a finished job run from its start, its failed tasks or one task',
      description:
        'Creates a new job run. Tasks that are not run again keep their earlier outcome (`reused`). With "snapshot" it runs exactly ' +
        `the tasks, connectors and configuration of the old one, with "current" those of the job now. ${OVER_LIMIT}`,
      access: member('operator', 'runs:run'),
      body: rerunInput,
      answers: { 201: jobRunRecord },
      errors: ['CONFLICT', 'NOT_READY'],
      idempotent: true,
    },
    async (request) => {
      const { id } = await jobStarts.rerun(request.params.id, request.body, actorOf(request));
      return toJobRun(await selectShownJobRun(store.read, id));
    },
  );
}

function registerRuns(routes: Routes, { store }: JobStartRoutesDeps): void {
  routes.list(
    '/api/jobs/:id/runs',
    {
      id: 'listRunsOfJob',
      summary: 'The runs of a job, newest first',
      query: pageQuery.extend({ sort: runSort }),
      answer: jobRunRecord,
    },
    async ({ params }, paging) => {
      await requireJob(store.read, params.id);
      return selectJobRuns(store.read, { job_id: params.id }, paging);
    },
    toJobRun,
  );
}
