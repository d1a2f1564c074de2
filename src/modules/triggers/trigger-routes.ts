import type { Clock } from '../../base/clock.ts';
import { timestamp } from '../../base/clock.ts';
import { requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { localTime } from '../../language/cron/local-time.ts';
import { nextTime } from '../../language/cron/next-times.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { toJobRun } from '../job-runs/job-run.ts';
import { jobRunRecord } from '../job-runs/job-run-routes.ts';
import { selectShownJobRun } from '../job-runs/shown-job-run-store.ts';
import { selectJob } from '../jobs/job-store.ts';
import { type TriggerView, toTrigger } from './trigger.ts';
import { nextScheduledTimes, requireSchedule, type Schedule } from './trigger-schedule.ts';
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

const kind = {
  path: '/api/triggers',
  name: 'Trigger',
  noun: 'trigger',
  tag: 'Triggers',
  read: member('viewer', 'triggers:read'),
  write: member('editor', 'triggers:write'),
  answer: triggerRecord,
  show: toTrigger,
};

export interface TriggerRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly triggers: Triggers;
}

export function registerTriggerRoutes(app: App, deps: TriggerRoutesDeps): void {
  const routes = new RecordRoutes<TriggerView>(app, kind);
  registerReads(routes, deps);
  registerPreview(routes.others, deps);
  registerWrites(routes, deps);
  registerFire(routes.others, deps);
}

function registerReads(routes: RecordRoutes<TriggerView>, { store }: TriggerRoutesDeps): void {
  routes.list({ summary: 'Triggers, newest first', query: triggerListQuery }, ({ query }, paging) =>
    selectTriggers(store.read, query, paging),
  );
  routes.list(
    {
      path: '/api/jobs/:id/triggers',
      id: 'listTriggersOfJob',
      summary: 'The triggers of a job, newest first',
      query: pageQuery.extend({ sort: definitionSort }),
    },
    async ({ params: { id } }, paging) => {
      requireFound(await selectJob(store.read, id), 'job', id);
      return selectTriggers(store.read, { job_id: id }, paging);
    },
  );
  routes.get({ summary: 'One trigger' }, (id) => selectTriggerView(store.read, id));
}

function registerWrites(routes: RecordRoutes<TriggerView>, { triggers }: TriggerRoutesDeps): void {
  routes.create(
    { path: '/api/jobs/:id/triggers', summary: 'Schedule a job', body: triggerInput },
    ({ params, body }, actor) => triggers.create(params.id, { ...body, ...boundsOf(body) }, actor),
  );
  routes.update(
    {
      summary: 'Change a trigger; keys that are left out keep their value',
      description:
        'If the cron expression, time zone, start or end changes, the next time is the first one from now on; earlier times are not ' +
        'caught up on. A new jitter moves the start of the next time. Enabling it resets the count of failures.',
      body: triggerChange,
      errors: ['CONFLICT'],
    },
    ({ params, body }, expected, actor) =>
      triggers.update(params.id, { ...body, ...boundsOf(body) }, expected, actor),
  );
  routes.remove({ summary: 'Delete a trigger; its runs stay' }, triggers.remove);
  for (const [verb, enabled, summary] of [
    ['enable', true, 'Enable a trigger, from its next time on'],
    ['disable', false, 'Disable a trigger and drop its waiting times'],
  ] as const)
    routes.act(verb, { summary, errors: ['CONFLICT'] }, (id, actor) =>
      triggers.setEnabled(id, enabled, actor),
    );
}

function registerPreview(routes: Routes, { clock }: TriggerRoutesDeps): void {
  routes.post(
    '/api/triggers/preview',
    {
      id: 'previewTrigger',
      summary: 'The next times of a schedule, in UTC and in its time zone',
      access: kind.read,
      body: previewInput,
      answer: triggerPreview,
    },
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

function registerFire(routes: Routes, { store, triggers }: TriggerRoutesDeps): void {
  routes.post(
    '/api/triggers/:id/fire',
    {
      id: 'fireTrigger',
      summary: 'Start the job now, as the trigger would',
      access: member('operator', 'triggers:run'),
      answers: { 201: jobRunRecord },
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => {
      const { id } = await triggers.fire(request.params.id, actorOf(request));
      return toJobRun(await selectShownJobRun(store.read, id));
    },
  );
}

type GivenTime = string | null | undefined;

/** Bounds in milliseconds; undefined if they are left out. */
function boundsOf({ start_at, end_at }: { readonly start_at?: GivenTime; readonly end_at?: GivenTime }) {
  const ms = (time: GivenTime) => (typeof time === 'string' ? Date.parse(time) : time);
  return { start_at: ms(start_at), end_at: ms(end_at) };
}

const NOTES = {
  moved: 'The clock skips this time: it runs once, right after the change',
  repeated: 'The clock repeats this time: at a fixed hour it runs only the first time',
} as const;

/** The next `count` times of a schedule after `after`, as the API returns them. `jitterSeconds`: as in a trigger. */
function previewTimes(schedule: Schedule, after: number, count: number, jitterSeconds: number) {
  const { cron, timezone } = schedule;
  return nextScheduledTimes(schedule, after, count).map((at) => {
    const next = jitterSeconds === 0 ? null : nextTime(cron, timezone, at);
    const roomMs = Math.min(jitterSeconds * 1_000, next === null ? Number.POSITIVE_INFINITY : next - at);
    const local = localTime(cron, timezone, at);
    const change = local?.change ?? null;
    return {
      at: timestamp(at),
      local: local?.text ?? timestamp(at),
      starts_by: timestamp(at + roomMs),
      note: change === null ? null : NOTES[change],
    };
  });
}
