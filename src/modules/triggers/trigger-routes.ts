import { z } from 'zod';
import { type Clock, timestamp } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams, noContent, operation } from '../../http/operation.ts';
import { definitionSort, pageOf, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import { nextTimes } from '../../language/cron/next-times.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { toJobRun } from '../job-runs/job-run.ts';
import { jobRunRecord } from '../job-runs/job-run-routes.ts';
import { selectJob } from '../jobs/job-store.ts';
import { CATCHUPS, OVERLAPS, requireSchedule, toTrigger } from './trigger.ts';
import type { Triggers } from './trigger-service.ts';
import { selectTrigger, selectTriggers } from './trigger-store.ts';

const PREVIEW_TIMES_MAX = 100;
const PREVIEW_TIMES_DEFAULT = 5;

const triggerRecord = z
  .object({
    id: z.number().int(),
    job_id: z.number().int(),
    name: z.string(),
    cron: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    overlap: z.enum(OVERLAPS),
    catchup: z.enum(CATCHUPS),
    next_run_at: z.string().nullable(),
    last_fired_at: z.string().nullable(),
    last_run_id: z.number().int().nullable().describe('The job run that was started last'),
    missed_count: z.number().int().describe('Times that passed while no server was there, and were given up'),
    skipped_count: z.number().int().describe('Times that came while the job was running, and were given up'),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'Trigger',
    examples: [
      {
        id: 4,
        job_id: 2,
        name: 'every night',
        cron: '0 2 * * *',
        timezone: 'Europe/Berlin',
        enabled: true,
        overlap: 'skip',
        catchup: 'latest',
        next_run_at: '2026-01-16T01:00:00.000Z',
        last_fired_at: '2026-01-15T01:00:00.012Z',
        last_run_id: 31,
        missed_count: 0,
        skipped_count: 0,
        version: 1,
        created_at: '2026-01-10T12:00:00.000Z',
        updated_at: '2026-01-10T12:00:00.000Z',
      },
    ],
  });

const cron = z.string().min(1).max(200).describe('Five fields, or a nickname such as "@daily"');
const timezone = z.string().min(1).max(64).describe('A name of the IANA database; default UTC');
const settings = {
  name: z.string().trim().min(1).max(200).optional().describe('Default: the cron expression'),
  timezone: timezone.optional(),
  enabled: z.boolean().optional().describe('Default true'),
  overlap: z
    .enum(OVERLAPS)
    .optional()
    .describe(
      'While a run of the job is going on: skip the time (default), queue_one or queue_all of them, cancel_running ' +
        '(what goes on is cancelled, reason overlap, and the newest time starts after it), or allow one more run',
    ),
  catchup: z
    .enum(CATCHUPS)
    .optional()
    .describe('Of times missed while no server was there: run none (default), the latest, or all'),
};
const triggerInput = z.strictObject({ cron, ...settings });
const triggerChange = z.strictObject({ cron: cron.optional(), ...settings });

const previewInput = z.strictObject({
  cron,
  timezone: timezone.default('UTC'),
  count: z.number().int().min(1).max(PREVIEW_TIMES_MAX).default(PREVIEW_TIMES_DEFAULT),
  after: z.iso.datetime({ offset: true }).optional().describe('Default: now'),
});
const preview = z
  .object({ cron: z.string(), timezone: z.string(), times: z.array(z.string()) })
  .meta({ id: 'TriggerPreview' });

const listQuery = pageQuery.extend({
  sort: definitionSort,
  job_id: z.coerce.number().int().optional(),
  enabled: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).optional(),
});
const read = member('viewer', 'triggers:read');
const write = member('editor', 'triggers:write');
const tag = 'Triggers';

export interface TriggerRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly triggers: Triggers;
}

export function registerTriggerRoutes(app: App, deps: TriggerRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
  registerActions(app, deps);
}

function registerReads(app: App, { store, clock }: TriggerRoutesDeps): void {
  app.get(
    '/api/triggers',
    operation({
      id: 'listTriggers',
      tag,
      summary: 'Triggers, newest first',
      access: read,
      query: listQuery,
      answers: { 200: pageOf(triggerRecord) },
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectTriggers(store.read, request.query, paging), paging, toTrigger);
    },
  );

  app.get(
    '/api/jobs/:id/triggers',
    operation({
      id: 'listTriggersOfJob',
      tag,
      summary: 'The triggers of a job, newest first',
      access: read,
      params: idParams,
      query: pageQuery.extend({ sort: definitionSort }),
      answers: { 200: pageOf(triggerRecord) },
    }),
    async (request) => {
      const filters = { job_id: request.params.id };
      if ((await selectJob(store.read, filters.job_id)) === null) throw notFound('job', filters.job_id);
      const paging = pagingOf(request);
      return toPage(await selectTriggers(store.read, filters, paging), paging, toTrigger);
    },
  );

  app.get(
    '/api/triggers/:id',
    operation({
      id: 'getTrigger',
      tag,
      summary: 'One trigger',
      access: read,
      params: idParams,
      answers: { 200: triggerRecord },
    }),
    async (request, reply) => {
      const row = await selectTrigger(store.read, request.params.id);
      if (row === null) throw notFound('trigger', request.params.id);
      setEtag(reply, row.version);
      return toTrigger(row);
    },
  );

  app.post(
    '/api/triggers/preview',
    operation({
      id: 'previewTrigger',
      tag,
      summary: 'The next times of a cron expression in a time zone',
      access: read,
      body: previewInput,
      answers: { 200: preview },
    }),
    async (request) => {
      const { count, after, ...when } = request.body;
      const schedule = requireSchedule(when.cron, when.timezone);
      const from = after === undefined ? clock.now() : Date.parse(after);
      const times = nextTimes(schedule.cron, schedule.timezone, from, count);
      return { ...when, times: times.map(timestamp) };
    },
  );
}

function registerWrites(app: App, { triggers }: TriggerRoutesDeps): void {
  app.post(
    '/api/jobs/:id/triggers',
    operation({
      id: 'createTrigger',
      tag,
      summary: 'Let a job run by itself',
      access: write,
      params: idParams,
      body: triggerInput,
      answers: { 201: triggerRecord },
      idempotent: true,
    }),
    async (request, reply) => {
      const row = await triggers.create(request.params.id, request.body, actorOf(request));
      setEtag(reply, row.version);
      return reply.code(201).send(toTrigger(row));
    },
  );

  app.put(
    '/api/triggers/:id',
    operation({
      id: 'updateTrigger',
      tag,
      summary: 'Change a trigger; keys that are left out keep their value',
      access: write,
      params: idParams,
      body: triggerChange,
      answers: { 200: triggerRecord },
      errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const row = await triggers.update(id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, row.version);
      return toTrigger(row);
    },
  );

  app.delete(
    '/api/triggers/:id',
    operation({
      id: 'deleteTrigger',
      tag,
      summary: 'Delete a trigger; the runs that it started stay',
      access: write,
      params: idParams,
      answers: { 204: noContent },
      errors: ['PRECONDITION_FAILED'],
    }),
    async (request, reply) => {
      await triggers.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );
}

function registerActions(app: App, { triggers }: TriggerRoutesDeps): void {
  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    app.post(
      `/api/triggers/:id/${verb}`,
      operation({
        id: `${verb}Trigger`,
        tag,
        summary: enabled
          ? 'Let a trigger fire again, from its next time on'
          : 'Keep a trigger from firing, and drop what waits',
        access: write,
        params: idParams,
        answers: { 200: triggerRecord },
        errors: ['CONFLICT'],
      }),
      async (request, reply) => {
        const row = await triggers.setEnabled(request.params.id, enabled, actorOf(request));
        setEtag(reply, row.version);
        return toTrigger(row);
      },
    );
  }

  app.post(
    '/api/triggers/:id/fire',
    operation({
      id: 'fireTrigger',
      tag,
      summary: 'Start the job now, as the trigger would',
      access: member('operator', 'triggers:run'),
      params: idParams,
      answers: { 201: jobRunRecord },
      errors: ['CONFLICT'],
      idempotent: true,
    }),
    async (request, reply) =>
      reply.code(201).send(toJobRun(await triggers.fire(request.params.id, actorOf(request)))),
  );
}
