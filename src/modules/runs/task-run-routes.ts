import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, type Problem, validationError } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { idParams, operation } from '../../http/operation.ts';
import type { App } from '../../http/server.ts';
import type { Store, Tx } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { selectConnectorsById } from '../connectors/connector-store.ts';
import type { TaskRecord } from '../tasks/task.ts';
import { selectTask } from '../tasks/task-store.ts';
import { NO_RETRY, toRun } from './run.ts';
import { selectNow } from './run-lease-store.ts';
import { runRecord } from './run-routes.ts';
import { insertRun } from './run-store.ts';

const body = z
  .strictObject({
    connectors: z.record(z.string().max(100), z.number().int().positive()).default({}),
    args: z.record(z.string().max(100), z.unknown()).default({}),
    job_config: z.record(z.string().max(100), z.unknown()).default({}),
  })
  .prefault({});

export interface TaskRunRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly wakeQueue: () => void;
}

/** Runs of a task by itself, without a job. */
export function registerTaskRunRoutes(app: App, { store, clock, wakeQueue }: TaskRunRoutesDeps): void {
  app.post(
    '/api/tasks/:id/runs',
    operation({
      id: 'startTask',
      tag: 'Runs',
      summary: 'Run a task now, standalone',
      access: member('operator', 'tasks:run'),
      params: idParams,
      body,
      answers: { 201: runRecord },
      errors: ['CONFLICT'],
      idempotent: true,
    }),
    async (request, reply) => {
      const actor = actorOf(request);
      const run = await store.write(async (tx) => {
        const task = await selectTask(tx, request.params.id);
        if (task === null) throw notFound('task', request.params.id);
        if (task.status !== 'active')
          throw new AppError('CONFLICT', `The task "${task.name}" is archived: activate it first`);
        await requireConnectors(tx, task, request.body.connectors);
        const now = await selectNow(tx, store.dialect);
        const row = await insertRun(tx, newRun(task, request.body), now);
        await insertAudit(
          tx,
          actor,
          { action: 'run.start', resourceType: 'run', resourceId: row.id, diff: { task: task.name } },
          clock.now(),
        );
        return row;
      });
      wakeQueue();
      return reply.code(201).send(toRun(run));
    },
  );
}

function newRun(task: TaskRecord, { connectors, args, job_config }: z.infer<typeof body>) {
  return {
    task_id: task.id,
    task_name: task.name,
    task_version: task.version,
    yaml_content: task.yaml_content,
    job_run_id: null,
    job_id: null,
    task_key: null,
    reason: 'manual' as const,
    retry: NO_RETRY,
    args: { values: args, template: null, when: null },
    config: job_config,
    connectors,
    connectorTypes: Object.values(task.connectors).map((connector) => connector.type),
    labels: task.labels,
    timeout_ms: 0,
    rerun_of: null,
    scheduled_for: null,
  };
}

/** Every connector that the task declares is given, exists and has its type. */
async function requireConnectors(
  tx: Tx,
  task: TaskRecord,
  given: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = new Map((await selectConnectorsById(tx, Object.values(given))).map((row) => [row.id, row]));
  const problems: Problem[] = [];
  for (const [local, { type }] of Object.entries(task.connectors)) {
    const path = `connectors.${local}`;
    const id = given[local];
    const row = id === undefined ? undefined : rows.get(id);
    if (id === undefined)
      problems.push({ path, message: `The task needs a connector "${local}" of type "${type}"` });
    else if (row === undefined) problems.push({ path, message: `There is no connector "${id}"` });
    else if (row.type !== type)
      problems.push({
        path,
        message: `"${local}" must be of type "${type}"; the connector "${row.name}" is of type "${row.type}"`,
      });
  }
  for (const local of Object.keys(given)) {
    if (task.connectors[local] === undefined)
      problems.push({ path: `connectors.${local}`, message: `The task declares no connector "${local}"` });
  }
  if (problems.length > 0) throw validationError(problems);
}
