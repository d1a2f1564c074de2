import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { currentChildTasks } from '../tasks/child-tasks.ts';
import { selectTask } from '../tasks/task-store.ts';
import type { RunReruns } from './run-rerun.ts';
import { runRecord } from './run-routes.ts';
import { insertRun } from './run-store.ts';
import { toRun } from './shown/shown-run.ts';
import { requireConnectors, standaloneRun } from './standalone-run.ts';

const body = z
  .strictObject({
    connectors: z.record(z.string().max(100), z.number().int().positive()).default({}),
    args: z.record(z.string().max(100), z.unknown()).default({}),
    job_config: z.record(z.string().max(100), z.unknown()).default({}),
    priority: z.int().min(-100).max(100).default(0).describe('Runs with a higher one are claimed first'),
  })
  .prefault({});

const group = { tag: 'Runs', write: member('operator', 'tasks:run') };

export interface TaskRunRoutesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly wakeQueue: () => void;
  readonly reruns: RunReruns;
}

/** Runs of a task by itself, without a job. */
export function registerTaskRunRoutes(
  app: App,
  { store, clock, wakeQueue, reruns }: TaskRunRoutesDeps,
): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/tasks/:id/runs',
    {
      id: 'startTask',
      summary: 'Run a task now, standalone',
      body,
      answers: { 201: runRecord },
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => {
      const actor = actorOf(request);
      const run = await store.write(async (tx) => {
        const task = requireFound(await selectTask(tx, request.params.id), 'task', request.params.id);
        if (task.status !== 'active')
          throw new AppError('CONFLICT', `The task "${task.name}" is archived: activate it first`);
        await requireConnectors(tx, task, request.body.connectors);
        const now = await selectNow(tx, store.dialect);
        const row = await insertRun(
          tx,
          standaloneRun(task, await currentChildTasks(tx, task), request.body),
          now,
        );
        await insertAudit(
          tx,
          actor,
          { action: 'run.start', resourceType: 'run', resourceId: row.id, diff: { task: task.name } },
          clock.now(),
        );
        return row;
      });
      wakeQueue();
      return toRun(run);
    },
  );

  routes.post(
    '/api/runs/:id/rerun',
    {
      id: 'rerunRun',
      summary: 'Run a standalone run that has ended again',
      description:
        'Makes a new run. With "snapshot" it runs exactly the text, arguments and connectors of the old one, with "current" the ' +
        'task as it is now. A task of a job run is run again through its job run.',
      access: member('operator', 'runs:run'),
      body: z.strictObject({ use: z.enum(['snapshot', 'current']).default('snapshot') }).prefault({}),
      answers: { 201: runRecord },
      errors: ['CONFLICT'],
      idempotent: true,
    },
    async (request) => toRun(await reruns.rerun(request.params.id, request.body.use, actorOf(request))),
  );
}
