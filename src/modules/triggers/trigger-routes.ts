import type { Clock } from '../../base/clock.ts';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams, operation } from '../../http/operation.ts';
import { definitionSort, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { toJobRun } from '../job-runs/job-run.ts';
import { jobRunRecord } from '../job-runs/job-run-routes.ts';
import { selectJob } from '../jobs/job-store.ts';
import { toTrigger } from './trigger.ts';
import { previewTimes } from './trigger-preview.ts';
import { requireSchedule } from './trigger-schedule.ts';
import {
  previewInput,
  triggerChange,
  triggerInput,
  triggerListQuery,
  triggerPreview,
  triggerRecord,
} from './trigger-schemas.ts';
import type { Triggers } from './trigger-service.ts';
import { selectTriggers, selectTriggerView } from './trigger-store.ts';

const read = member('viewer', 'triggers:read');
const write = member('editor', 'triggers:write');
const tag = 'Triggers';
const operations = recordOperations({ tag, read, write });

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
    operations.list({
      id: 'listTriggers',
      summary: 'Triggers, newest first',
      query: triggerListQuery,
      item: triggerRecord,
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectTriggers(store.read, request.query, paging), paging, toTrigger);
    },
  );

  app.get(
    '/api/jobs/:id/triggers',
    operations.list({
      id: 'listTriggersOfJob',
      summary: 'The triggers of a job, newest first',
      params: idParams,
      query: pageQuery.extend({ sort: definitionSort }),
      item: triggerRecord,
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
    operations.get({ id: 'getTrigger', summary: 'One trigger', answer: triggerRecord }),
    async (request, reply) => {
      const row = await selectTriggerView(store.read, request.params.id);
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
      summary: 'The next times of a schedule, in UTC and in its time zone',
      access: read,
      body: previewInput,
      answers: { 200: triggerPreview },
    }),
    async (request) => {
      const { cron, timezone, count, after, jitter_seconds = 0 } = request.body;
      const { start_at = null, end_at = null } = boundsOf(request.body);
      const schedule = requireSchedule(cron, timezone, { start_at, end_at });
      const from = after === undefined ? clock.now() : Date.parse(after);
      const upcoming = previewTimes(schedule, from, count, jitter_seconds);
      return { cron, timezone, times: upcoming.map(({ at }) => at), upcoming };
    },
  );
}

function registerWrites(app: App, { triggers }: TriggerRoutesDeps): void {
  app.post(
    '/api/jobs/:id/triggers',
    operations.create({
      id: 'createTrigger',
      summary: 'Let a job run by itself',
      params: idParams,
      body: triggerInput,
      answer: triggerRecord,
    }),
    async (request, reply) => {
      const input = { ...request.body, ...boundsOf(request.body) };
      const row = await triggers.create(request.params.id, input, actorOf(request));
      setEtag(reply, row.version);
      return reply.code(201).send(toTrigger(row));
    },
  );

  app.put(
    '/api/triggers/:id',
    operations.update({
      id: 'updateTrigger',
      summary: 'Change a trigger; keys that are left out keep their value',
      description:
        'Another cron expression, time zone, start or end: the next time is the first from now on, and what passed before is not ' +
        'made up for. Another jitter moves the start of the next time. Enabling it begins a new count of failures.',
      body: triggerChange,
      answer: triggerRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const input = { ...request.body, ...boundsOf(request.body) };
      const row = await triggers.update(id, input, ifMatch(request), actorOf(request));
      setEtag(reply, row.version);
      return toTrigger(row);
    },
  );

  app.delete(
    '/api/triggers/:id',
    operations.remove({ id: 'deleteTrigger', summary: 'Delete a trigger; the runs that it started stay' }),
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
      operations.act({
        id: `${verb}Trigger`,
        summary: enabled
          ? 'Let a trigger fire again, from its next time on'
          : 'Keep a trigger from firing, and drop what waits',
        answer: triggerRecord,
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

type GivenTime = string | null | undefined;

/** Bounds in milliseconds; undefined where they are left out. */
function boundsOf({ start_at, end_at }: { readonly start_at?: GivenTime; readonly end_at?: GivenTime }) {
  const ms = (time: GivenTime) => (typeof time === 'string' ? Date.parse(time) : time);
  return { start_at: ms(start_at), end_at: ms(end_at) };
}
