import { z } from 'zod';
import { timestampOrNull } from '../../../base/clock.ts';
import { requireFound } from '../../../base/errors.ts';
import { member } from '../../../http/access.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { EXECUTOR_SLOTS_MAX, EXECUTOR_STATUSES, toExecutor } from '../executor.ts';
import { countHeldRuns, selectExecutor, selectExecutors } from '../executor-store.ts';
import type { ExecutorDrains } from './executor-drains.ts';
import { selectHeldRuns } from './held-run-store.ts';

const EXECUTORS_MAX = 500;
const group = {
  tag: 'Server',
  read: member('viewer', 'server:read'),
  write: member('admin', 'server:write'),
};
const count = z.number().int();

const executor = z
  .object({
    id: count,
    name: z.string(),
    instance_id: z.string().describe('New at every start of the process'),
    version: z.string(),
    protocol_version: count,
    labels: z.record(z.string(), z.string()),
    connector_types: z.array(z.string()),
    slots: count,
    running: count.describe('Its current runs'),
    status: z
      .enum(EXECUTOR_STATUSES)
      .describe(
        'draining: it gets no more runs, and still has some or leaves; drained: it has none left; lost: it was not heard from for longer than a lease; gone: it has left',
      ),
    drain: z
      .object({ requested_at: z.string(), requested_by: z.string().nullable() })
      .nullable()
      .describe('Set while draining: it gets no more runs'),
    registered_at: z.string(),
    last_seen_at: z.string(),
  })
  .meta({ id: 'Executor' });

const heldRun = z.object({
  id: count,
  task_name: z.string(),
  job_id: count.nullable(),
  job_name: z.string().nullable(),
  job_run_id: count.nullable(),
  status: z.string(),
  attempt: count,
  started_at: z.string().nullable(),
});
const executorDetail = executor
  .extend({ runs: z.array(heldRun).describe(`What it has, oldest first; at most ${EXECUTOR_SLOTS_MAX}`) })
  .meta({ id: 'ExecutorDetail' });

export interface RosterRoutesDeps {
  readonly store: Store;
  readonly drains: ExecutorDrains;
}

/** The executors as whoever operates the server sees them. */
export function registerRosterRoutes(app: App, { store, drains }: RosterRoutesDeps): void {
  const routes = new Routes(app, group);

  async function detail(id: number) {
    const row = requireFound(await selectExecutor(store.read, id), 'executor', id);
    const held = await selectHeldRuns(store.read, id, EXECUTOR_SLOTS_MAX);
    const runs = held.map((run) => ({ ...run, started_at: timestampOrNull(run.started_at) }));
    return { ...toExecutor(row, runs.length, await selectNow(store.read, store.dialect)), runs };
  }

  routes.get(
    '/api/server/executors',
    {
      id: 'listExecutors',
      summary: 'Executors, last seen first',
      answer: z.object({ result: z.array(executor), next_cursor: z.null() }),
    },
    async () => {
      const now = await selectNow(store.read, store.dialect);
      const rows = await selectExecutors(store.read, EXECUTORS_MAX);
      const held = await countHeldRuns(store.read);
      return { result: rows.map((row) => toExecutor(row, held.get(row.id) ?? 0, now)), next_cursor: null };
    },
  );

  routes.get(
    '/api/server/executors/:id',
    { id: 'getExecutor', summary: 'One executor, with the runs that it has', answer: executorDetail },
    async ({ params }) => detail(params.id),
  );

  routes.post(
    '/api/server/executors/:id/drain',
    {
      id: 'startExecutorDrain',
      summary: 'Give an executor no more runs; it finishes what it has',
      description:
        'It is `draining` until it has no run left, then `drained`, and stays so until it is resumed or its process ends: a new process of its name gets runs. Draining a drained one changes nothing.',
      answer: executorDetail,
      errors: ['CONFLICT'],
    },
    async (request) => {
      await drains.drain(request.params.id, actorOf(request));
      return detail(request.params.id);
    },
  );

  routes.post(
    '/api/server/executors/:id/resume',
    {
      id: 'resumeExecutor',
      summary: 'Give a drained executor runs again',
      description: 'Resuming one that is not drained changes nothing.',
      answer: executorDetail,
      errors: ['CONFLICT'],
    },
    async (request) => {
      await drains.resume(request.params.id, actorOf(request));
      return detail(request.params.id);
    },
  );
}
