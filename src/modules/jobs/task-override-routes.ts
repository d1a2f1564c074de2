import { z } from 'zod';
import { textDiff } from '../../base/text/text-diff.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import { yamlField } from '../definitions/definition-fields.ts';
import type { TaskOverride, TaskOverrides } from './task-overrides.ts';

const NAME_CHARS_MAX = 100;
const params = idParams.extend({
  key: z.string().min(1).max(NAME_CHARS_MAX).describe('The key of the task in the job’s template'),
});
const override = z
  .object({
    task_key: z.string(),
    task_id: z.number().int(),
    task_name: z.string(),
    task_version: z
      .number()
      .int()
      .describe('The pinned version, which runs again after the override is deleted'),
    yaml_content: z.string().describe('The YAML that the job runs instead'),
    connectors: z.record(z.string(), z.object({ type: z.string() })),
    pinned_yaml_content: z.string(),
    diff: z
      .string()
      .describe('A unified diff from the pinned version to `yaml_content`; empty if the texts are equal'),
  })
  .meta({ id: 'TaskOverride' });
const group = { tag: 'Jobs', read: member('viewer', 'jobs:read'), write: member('editor', 'jobs:write') };

/** Per-job overrides of tasks. The ETag is the job's: an override is part of it. */
export function registerTaskOverrideRoutes(
  app: App,
  { taskOverrides }: { readonly taskOverrides: TaskOverrides },
): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/jobs/:id/tasks/:key/override',
    {
      id: 'getTaskOverride',
      summary: 'The override of a task in a job',
      params,
      answer: override,
      sends: ['ETag'],
    },
    async (request, reply) => {
      const found = await taskOverrides.get(request.params.id, request.params.key);
      setEtag(reply, found.job.version);
      return toOverride(found);
    },
  );

  routes.put(
    '/api/jobs/:id/tasks/:key/override',
    {
      id: 'putTaskOverride',
      summary: 'Override a task’s YAML in a job, for runs started afterwards',
      description:
        'Reports all problems of the YAML at once; the job must bind its connectors. The ETag is the job’s, and its version increases.',
      params,
      body: z.strictObject({ yaml_content: yamlField }),
      answer: override,
      sends: ['ETag'],
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'UNPROCESSABLE', 'NOT_READY'],
    },
    async (request, reply) => {
      const { id, key } = request.params;
      const { yaml_content } = request.body;
      const found = await taskOverrides.put(id, key, yaml_content, ifMatch(request), actorOf(request));
      setEtag(reply, found.job.version);
      return toOverride(found);
    },
  );

  routes.delete(
    '/api/jobs/:id/tasks/:key/override',
    {
      id: 'deleteTaskOverride',
      summary: 'Run the pinned version of a task again',
      params,
      sends: ['ETag'],
      errors: ['CONFLICT', 'PRECONDITION_FAILED'],
    },
    async (request, reply) => {
      const { id, key } = request.params;
      const job = await taskOverrides.remove(id, key, ifMatch(request), actorOf(request));
      setEtag(reply, job.version);
    },
  );
}

function toOverride({ task }: TaskOverride) {
  const { yaml_content, connectors } = task.override;
  return {
    task_key: task.task_key,
    task_id: task.task_id,
    task_name: task.task_name,
    task_version: task.task_version,
    yaml_content,
    connectors,
    pinned_yaml_content: task.yaml_content,
    diff: textDiff(task.yaml_content, yaml_content, { from: `version ${task.task_version}`, to: 'override' }),
  };
}
