import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { member } from '../../http/access.ts';
import { idParams } from '../../http/operation.ts';
import { type Paging, pageQuery } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import type { JobStateRow } from './job-state-store.ts';
import type { JobStates } from './job-states.ts';

const NAME_CHARS_MAX = 100;
const stepId = z.string().min(1).max(NAME_CHARS_MAX);
const taskParams = idParams.extend({ task_key: z.string().max(NAME_CHARS_MAX) });
const state = z
  .object({
    task_key: z.string(),
    step_id: z.string(),
    value: z.unknown().describe('The cursor: the next run of the task continues after it'),
    version: z.number().int(),
    updated_at: z.string(),
  })
  .meta({ id: 'JobState' });
const states = z.object({ result: z.array(state) });
const input = z.strictObject({
  step_id: stepId,
  value: z.union([z.string().min(1).max(1_000), z.number()]),
});
const forgetQuery = z.strictObject({ step_id: stepId.optional().describe('Default: all steps') });
const group = { tag: 'Jobs', read: member('viewer', 'jobs:read'), write: member('operator', 'jobs:write') };

/** The cursors of incremental extracts, per task and step of a job. */
export function registerJobStateRoutes(app: App, { jobStates }: { readonly jobStates: JobStates }): void {
  const routes = new Routes(app, group);
  routes.list(
    '/api/jobs/:id/state',
    {
      id: 'listJobStates',
      summary: 'The cursors of a job’s incremental extracts',
      query: pageQuery,
      answer: state,
    },
    async ({ params }, paging) => onPage(await jobStates.list(params.id, null), paging),
    (row) => toState(row),
    'name',
  );

  routes.list(
    '/api/jobs/:id/state/:task_key',
    {
      id: 'getJobTaskState',
      summary: 'The cursors of one task’s incremental extracts',
      params: taskParams,
      query: pageQuery,
      answer: state,
    },
    async ({ params }, paging) => {
      const { id, task_key } = params as z.output<typeof taskParams>;
      return onPage(await jobStates.list(id, task_key), paging);
    },
    (row) => toState(row),
    'name',
  );

  routes.put(
    '/api/jobs/:id/state/:task_key',
    {
      id: 'setJobTaskState',
      summary: 'Set the cursor of a step: the next run continues after it',
      params: taskParams,
      body: input,
      answer: states,
      errors: ['CONFLICT'],
    },
    async (request) => {
      const { id, task_key } = request.params;
      const { step_id, value } = request.body;
      await jobStates.set(id, task_key, { stepId: step_id, value }, actorOf(request));
      return {
        result: (await jobStates.list(id, task_key)).map((row) => toState({ ...row, step_id: row.name })),
      };
    },
  );

  const errors = ['CONFLICT'] as const;
  routes.delete(
    '/api/jobs/:id/state',
    { id: 'forgetJobStates', summary: 'Forget all cursors: the next run reads everything', errors },
    async (request) => jobStates.forget(request.params.id, null, null, actorOf(request)),
  );

  routes.delete(
    '/api/jobs/:id/state/:task_key',
    {
      id: 'forgetJobTaskState',
      summary: 'Forget the cursors of one task: its next run reads everything',
      params: taskParams,
      query: forgetQuery,
      errors,
    },
    async (request) => {
      const { id, task_key } = request.params;
      await jobStates.forget(id, task_key, request.query.step_id ?? null, actorOf(request));
    },
  );
}

/** By task and step, which are the `name` of the page's cursor; one row more than the page. A job has few, so all were read. */
function onPage(rows: readonly JobStateRow[], { after, limit }: Paging) {
  const named = rows.map((row) => ({
    ...row,
    id: 0,
    step_id: row.name,
    name: JSON.stringify([row.task_key, row.name]),
  }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  const from = after === null ? 0 : named.findIndex(({ name }) => name > after.value);
  return from < 0 ? [] : named.slice(from, from + limit + 1);
}

function toState({
  task_key,
  step_id,
  value_json,
  version,
  updated_at,
}: Omit<JobStateRow, 'name'> & { readonly step_id: string }) {
  const value = parseJsonText(value_json);
  return { task_key, step_id, value, version, updated_at: timestamp(updated_at) };
}
