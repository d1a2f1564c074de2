import { z } from 'zod';
import { requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { problemSchema } from '../../http/operation.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import {
  definitionQuery,
  descriptionField,
  nameField,
  yamlField,
  yamlToCheck,
} from '../definitions/definition-fields.ts';
import { listedRecords } from '../definitions/listed-records.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { registerVersionRoutes } from '../definitions/version-routes.ts';
import { TASK_YAML } from '../definitions/yaml-examples.ts';
import { shownTask, type TaskRecord } from './task.ts';
import type { ParseTask, Tasks } from './task-service.ts';
import { selectTask, selectTasks, type TaskFilters, taskVersions } from './task-store.ts';
import { selectTaskPins, selectTaskTemplates } from './task-uses-store.ts';

const taskRecord = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    yaml_content: z.string(),
    version: z.number().int(),
    status: z.string(),
    labels: z.record(z.string(), z.string()),
    connectors: z.record(z.string(), z.object({ type: z.string() })),
    created_at: z.string(),
    updated_at: z.string(),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'Task' });

const taskInput = z.strictObject({
  name: nameField.optional().describe('Default: the name in the YAML'),
  description: descriptionField,
  yaml_content: yamlField.meta({ examples: [TASK_YAML] }),
});

const USES_MAX = 200;
const user = { id: z.number().int(), name: z.string(), status: z.string() };
const uses = z
  .object({
    jobs: z
      .array(
        z.object({
          ...user,
          task_key: z.string(),
          task_version: z.number().int().describe('The version that the job pins'),
        }),
      )
      .describe('Newest job first; one entry for each node that runs the task'),
    job_templates: z
      .array(z.object({ ...user, task_keys: z.array(z.string()) }))
      .describe('Newest first, with the nodes that run the task'),
  })
  .meta({ id: 'TaskUses' });

const validation = z.object({
  valid: z.boolean(),
  problems: z.array(problemSchema),
  connectors: z
    .record(z.string(), z.object({ type: z.string() }))
    .nullable()
    .describe('The connectors that the task declares; null for a text with problems'),
});
const access = { read: member('viewer', 'tasks:read'), write: member('editor', 'tasks:write') };
const kind = { path: '/api/tasks', name: 'Task', noun: 'task', tag: 'Tasks', ...access } as const;

export interface TaskRoutesDeps {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly parseTask: ParseTask;
}

export function registerTaskRoutes(app: App, { store, tasks, parseTask }: TaskRoutesDeps): void {
  const routes = new RecordRoutes<TaskRecord>(app, {
    ...kind,
    answer: taskRecord,
    show: (task) => task,
    followsVersion: true,
  });
  const listed = listedRecords({
    select: (query: TaskFilters, paging) => selectTasks(store.read, query, paging),
    answer: taskRecord,
    show: shownTask,
  });
  const written = { body: taskInput, errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'] } as const;
  routes.list(
    { summary: 'Task definitions, newest first', query: definitionQuery, show: listed.show },
    ({ query }, paging) => listed.read(query, paging),
  );
  routes.create({ ...written, summary: 'Create a task from YAML' }, ({ body }, actor) =>
    tasks.create(body, actor),
  );
  routes.get({ summary: 'One task' }, (id) => selectTask(store.read, id));
  routes.update(
    { ...written, summary: 'Replace the YAML; makes a new version unless nothing changed' },
    ({ params, body }, expected, actor) => tasks.update(params.id, body, expected, actor),
  );
  routes.remove({ summary: 'Delete a task that no job pins', errors: ['CONFLICT'] }, tasks.remove);
  routes.statusVerbs({ called: 'task' }, tasks.setStatus);

  registerVersionRoutes(app, {
    ...kind,
    answer: taskRecord,
    store,
    select: selectTask,
    versions: taskVersions,
    restore: tasks.restore,
  });

  registerUses(routes.others, store);
  routes.others.post(
    '/api/tasks/validate',
    {
      id: 'validateTask',
      summary: 'Check a task’s YAML; reports all problems at once, with line and column',
      access: kind.read,
      body: yamlToCheck(TASK_YAML),
      answer: validation,
      errors: ['NOT_READY', 'UNPROCESSABLE'],
    },
    async (request) => {
      const parsed = await parseTask(request.body.yaml_content);
      if (!parsed.ok) return { valid: false, problems: parsed.problems, connectors: null };
      return { valid: true, problems: [], connectors: { ...parsed.info.connectors } };
    },
  );
}

function registerUses(routes: Routes, store: Store): void {
  routes.get(
    '/api/tasks/:id/uses',
    {
      id: 'listTaskUses',
      summary: 'The jobs that pin a task, each with the version, and the job templates that name it',
      description: `At most ${USES_MAX} of each.`,
      answer: uses,
    },
    async ({ params: { id } }) => {
      const { name } = requireFound(await selectTask(store.read, id), 'task', id);
      const [jobs, job_templates] = await Promise.all([
        selectTaskPins(store.read, id, USES_MAX),
        selectTaskTemplates(store.read, name, USES_MAX),
      ]);
      return { jobs, job_templates };
    },
  );
}
