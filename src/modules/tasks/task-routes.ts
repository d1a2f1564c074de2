import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { operation, problemSchema } from '../../http/operation.ts';
import { definitionSort, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import {
  descriptionField,
  nameField,
  STATUS_VERBS,
  yamlField,
  yamlToCheck,
} from '../definitions/definition-fields.ts';
import { registerVersionRoutes } from '../definitions/version-routes.ts';
import { TASK_YAML } from '../definitions/yaml-examples.ts';
import { toTask } from './task.ts';
import type { ParseTask, Tasks } from './task-service.ts';
import { selectTask, selectTasks, selectTaskVersion, selectTaskVersions } from './task-store.ts';

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
  name: nameField.optional().describe('Default: the YAML’s own'),
  description: descriptionField,
  yaml_content: yamlField.meta({ examples: [TASK_YAML] }),
});

const validation = z.object({ valid: z.boolean(), problems: z.array(problemSchema) });
const listQuery = pageQuery.extend({
  sort: definitionSort,
  status: z.enum(['active', 'archived']).optional(),
  q: z.string().max(200).optional(),
});
const read = member('viewer', 'tasks:read');
const write = member('editor', 'tasks:write');
const tag = 'Tasks';
const operations = recordOperations({ tag, read, write });

export interface TaskRoutesDeps {
  readonly store: Store;
  readonly tasks: Tasks;
  readonly parseTask: ParseTask;
}

export function registerTaskRoutes(app: App, deps: TaskRoutesDeps): void {
  registerCrud(app, deps);
  registerVersions(app, deps);
}

function registerCrud(app: App, { store, tasks }: TaskRoutesDeps): void {
  app.get(
    '/api/tasks',
    operations.list({
      id: 'listTasks',
      summary: 'Task definitions, newest first',
      query: listQuery,
      item: taskRecord,
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectTasks(store.read, request.query, paging), paging, toTask);
    },
  );

  app.post(
    '/api/tasks',
    operations.create({
      id: 'createTask',
      summary: 'Create a task from YAML',
      body: taskInput,
      answer: taskRecord,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const task = await tasks.create(request.body, actorOf(request));
      setEtag(reply, task.version);
      return reply.code(201).send(task);
    },
  );

  app.get(
    '/api/tasks/:id',
    operations.get({ id: 'getTask', summary: 'One task', answer: taskRecord }),
    async (request, reply) => {
      const task = await selectTask(store.read, request.params.id);
      if (task === null) throw notFound('task', request.params.id);
      setEtag(reply, task.version);
      return task;
    },
  );

  app.put(
    '/api/tasks/:id',
    operations.update({
      id: 'updateTask',
      summary: 'Replace the YAML: a new version, unless nothing changed',
      body: taskInput,
      answer: taskRecord,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const task = await tasks.update(request.params.id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, task.version);
      return task;
    },
  );

  app.delete(
    '/api/tasks/:id',
    operations.remove({ id: 'deleteTask', summary: 'Delete a task that no job pins', errors: ['CONFLICT'] }),
    async (request, reply) => {
      await tasks.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );

  for (const [verb, status] of STATUS_VERBS) {
    app.post(
      `/api/tasks/:id/${verb}`,
      operations.act({ id: `${verb}Task`, summary: `Set a task ${status}`, answer: taskRecord }),
      async (request) => tasks.setStatus(request.params.id, status, actorOf(request)),
    );
  }
}

function registerVersions(app: App, { store, tasks, parseTask }: TaskRoutesDeps): void {
  registerVersionRoutes(app, {
    path: '/api/tasks',
    noun: 'task',
    name: 'Task',
    tag,
    read,
    write,
    answer: taskRecord,
    exists: async (id) => (await selectTask(store.read, id)) !== null,
    versions: (id) => selectTaskVersions(store.read, id),
    version: (id, version) => selectTaskVersion(store.read, id, version),
    restore: tasks.restore,
  });

  app.post(
    '/api/tasks/validate',
    operation({
      id: 'validateTask',
      tag,
      summary: 'Check a YAML; all problems at once, with line and column',
      access: read,
      body: yamlToCheck(TASK_YAML),
      answers: { 200: validation },
      errors: ['NOT_READY', 'UNPROCESSABLE'],
    }),
    async (request) => {
      const parsed = await parseTask(request.body.yaml_content);
      return { valid: parsed.ok, problems: parsed.ok ? [] : parsed.problems };
    },
  );
}
