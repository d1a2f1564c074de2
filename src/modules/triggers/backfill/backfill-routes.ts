import { z } from 'zod';
import { timestamp } from '../../../base/clock.ts';
import { requireFound } from '../../../base/errors.ts';
import { member } from '../../../http/access.ts';
import { answerPage, pageOf, pageQuery, pagingOf, sortable, toPage } from '../../../http/paging.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Db, Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { selectTrigger } from '../trigger-store.ts';
import {
  BACKFILL_ACTIVE_MAX,
  BACKFILL_ORDERS,
  BACKFILL_STATUSES,
  BACKFILL_TIMES_MAX,
  type BackfillRow,
  emptyProgress,
  REPROCESS,
  toBackfill,
} from './backfill.ts';
import type { BackfillPlan } from './backfill-plan.ts';
import type { Backfills } from './backfill-service.ts';
import { selectBackfill, selectBackfills, selectBackfillTimes, selectProgress } from './backfill-store.ts';

/** Times shown in the answer of a dry run; the plan may have more. */
const PLAN_TIMES_SHOWN_MAX = 200;

const count = z.number().int();
const backfillRecord = z
  .object({
    id: z.number().int(),
    job_id: z.number().int(),
    trigger_id: z.number().int(),
    from: z.string(),
    to: z.string(),
    reprocess: z.enum(REPROCESS),
    order: z.enum(BACKFILL_ORDERS),
    max_active: z.number().int(),
    config_override: z.record(z.string(), z.unknown()).nullable(),
    status: z.enum(BACKFILL_STATUSES),
    problem: z.string().nullable().describe('Why it was paused automatically'),
    total: count,
    progress: z.object({
      pending: count,
      active: count,
      success: count,
      warning: count,
      error: count,
      cancelled: count,
      deleted: count,
    }),
    created_at: z.string(),
    created_by: z.string(),
    ended_at: z.string().nullable(),
  })
  .meta({ id: 'Backfill' });

const backfillDetail = backfillRecord
  .extend({
    times: z.array(
      z.object({
        scheduled_for: z.string(),
        job_run_id: z.number().int().nullable(),
        status: z.string().nullable().describe('Status of the job run'),
      }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'BackfillDetail' });

const backfillPlan = z
  .object({
    plan_id: z.string().describe('Submit it to start exactly this plan'),
    total: count,
    times: z.array(
      z.object({
        scheduled_for: z.string(),
        outcome: z
          .string()
          .describe(
            '"none", the status of the newest job run, the trigger’s skipped, waiting or failed, or pending: the trigger ' +
              'itself or another backfill will handle it',
          ),
        job_run_id: z.number().int().nullable(),
      }),
    ),
    truncated: z.boolean().describe(`Only the first ${PLAN_TIMES_SHOWN_MAX} times are shown`),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'BackfillPlan' });

const time = z.iso.datetime({ offset: true });
const backfillInput = z.strictObject({
  from: time.describe('Inclusive'),
  to: time.describe('Exclusive; not in the future'),
  reprocess: z
    .enum(REPROCESS)
    .default('missed')
    .describe('missed: never ran; failed: the newest run failed or was cancelled; all'),
  order: z.enum(BACKFILL_ORDERS).default('oldest_first'),
  max_active: z.int().min(1).max(BACKFILL_ACTIVE_MAX).default(1).describe('Concurrent job runs'),
  config_override: z
    .record(z.string().max(100), z.unknown())
    .nullable()
    .default(null)
    .describe('Overrides the job’s configuration for these runs; maps are merged'),
  dry_run: z.boolean().default(false).describe('Only create the plan'),
  plan_id: z
    .string()
    .max(64)
    .optional()
    .describe('From a dry run: apply exactly that plan, or fail with 409'),
});

const group = {
  tag: 'Triggers',
  read: member('viewer', 'triggers:read'),
  write: member('operator', 'triggers:run'),
};

export interface BackfillRoutesDeps {
  readonly store: Store;
  readonly backfills: Backfills;
}

export function registerBackfillRoutes(app: App, { store, backfills }: BackfillRoutesDeps): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/triggers/:id/backfills',
    {
      id: 'createBackfill',
      summary: 'Run the past times of a trigger: plan first (dry_run), then submit exactly that plan',
      description:
        `At most ${BACKFILL_TIMES_MAX} scheduled times, within the trigger’s start_at and end_at. Each is started once, with the configuration of the submission and reason ` +
        '"backfill"; it waits if the template’s `concurrency` has no free slot.',
      body: backfillInput,
      answers: { 200: backfillPlan, 201: backfillRecord },
      errors: ['CONFLICT', 'NOT_READY', 'UNPROCESSABLE'],
      idempotent: true,
    },
    async (request, reply) => {
      const { dry_run, plan_id = null, ...rest } = request.body;
      const { id } = request.params;
      const wanted = { ...rest, from: Date.parse(rest.from), to: Date.parse(rest.to) };
      if (dry_run) return reply.code(200).send(toPlan(await backfills.plan(id, wanted)));
      const row = await backfills.submit(id, wanted, plan_id, actorOf(request));
      return reply.code(201).send(await shown(store.read, row));
    },
  );

  routes.get(
    '/api/triggers/:id/backfills',
    {
      id: 'listBackfills',
      summary: 'The backfills of a trigger with their progress, newest first',
      query: pageQuery.extend({ sort: sortable(['id', 'created_at'], '-id') }),
      answer: pageOf(backfillRecord),
      sends: ['Link'],
    },
    async (request, reply) => {
      const { id } = request.params;
      requireFound(await selectTrigger(store.read, id), 'trigger', id);
      const paging = pagingOf(request);
      const rows = await selectBackfills(store.read, id, paging);
      const progress = await selectProgress(
        store.read,
        rows.map((row) => row.id),
      );
      const show = (row: (typeof rows)[number]) => toBackfill(row, progress.get(row.id) ?? emptyProgress());
      return answerPage(request, reply, toPage(rows, paging, show));
    },
  );

  routes.get(
    '/api/backfills/:id',
    {
      id: 'getBackfill',
      summary: 'One backfill with its times, in starting order',
      query: pageQuery,
      answer: backfillDetail,
      sends: ['Link'],
    },
    async (request, reply) => {
      const row = await requireBackfill(store.read, request.params.id);
      const paging = pagingOf(request, 'id');
      const page = toPage(await selectBackfillTimes(store.read, row.id, paging), paging, (found) => ({
        scheduled_for: timestamp(found.scheduled_for),
        job_run_id: found.job_run_id,
        status: found.status,
      }));
      const { result: times, next_cursor } = answerPage(request, reply, page);
      return { ...(await shown(store.read, row)), times, next_cursor };
    },
  );
  registerActions(routes, { store, backfills });
}

function registerActions(routes: Routes, { store, backfills }: BackfillRoutesDeps): void {
  for (const verb of ['pause', 'resume'] as const) {
    routes.post(
      `/api/backfills/:id/${verb}`,
      {
        id: `${verb}Backfill`,
        summary:
          verb === 'pause'
            ? 'Pause a backfill: no further times start, running ones continue'
            : 'Resume a paused backfill',
        answer: backfillRecord,
        errors: ['CONFLICT'],
      },
      async (request) => {
        await backfills.setStatus(request.params.id, verb, actorOf(request));
        return shown(store.read, await requireBackfill(store.read, request.params.id));
      },
    );
  }

  routes.post(
    '/api/backfills/:id/cancel',
    {
      id: 'cancelBackfill',
      summary: 'End a backfill: no further times start, and its job runs are cancelled',
      body: z
        .strictObject({
          cancel_runs: z.boolean().default(true).describe('Also cancel its running job runs'),
        })
        .prefault({}),
      answer: backfillRecord,
      errors: ['CONFLICT'],
    },
    async (request) => {
      await backfills.cancel(request.params.id, request.body.cancel_runs, actorOf(request));
      return shown(store.read, await requireBackfill(store.read, request.params.id));
    },
  );
}

async function requireBackfill(db: Db, id: number): Promise<BackfillRow> {
  return requireFound(await selectBackfill(db, id), 'backfill', id);
}

async function shown(db: Db, row: BackfillRow) {
  return toBackfill(row, (await selectProgress(db, [row.id])).get(row.id) ?? emptyProgress());
}

function toPlan(plan: BackfillPlan) {
  const times = plan.times.slice(0, PLAN_TIMES_SHOWN_MAX);
  return {
    plan_id: plan.id,
    total: plan.times.length,
    times: times.map(({ at, outcome, job_run_id }) => ({
      scheduled_for: timestamp(at),
      outcome,
      job_run_id,
    })),
    truncated: times.length < plan.times.length,
    warnings: [...plan.warnings],
  };
}
