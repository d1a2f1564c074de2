import { z } from 'zod';
import { timestamp, timestampOrNull } from '../../../base/clock.ts';
import { member } from '../../../http/access.ts';
import { answerPage, pageOf, pageQuery, pagingOf, sortable, toPage } from '../../../http/paging.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store } from '../../../store/store.ts';
import { countHeld } from '../../runs/queue/run-slot-store.ts';
import { EXECUTOR_AWAY_MS } from '../executor.ts';
import { type QueuedRun, selectJobNames, selectPresentExecutors, selectQueue } from './queue-store.ts';
import { WAITING_REASONS, waitingReasons } from './waiting-reason.ts';

const EXECUTORS_MAX = 500;
const count = z.number().int();

const queuedRun = z
  .object({
    id: count,
    task_id: count.nullable(),
    task_name: z.string(),
    job_id: count.nullable(),
    job_name: z.string().nullable(),
    job_run_id: count.nullable(),
    task_key: z.string().nullable(),
    priority: count.describe(
      'Higher ones go first; among equal ones jobs take turns, and older runs go first',
    ),
    attempt: count.describe('Attempts before this one'),
    reason: z.string(),
    labels: z.record(z.string(), z.string()).describe('Labels required of its executor'),
    created_at: z.string(),
    available_at: z.string().describe('Since when it waits, or until when it is delayed'),
    expires_at: z
      .string()
      .nullable()
      .describe(
        'When it fails unless an executor has claimed it; null: never, or it came within the last seconds',
      ),
    why: z
      .enum(WAITING_REASONS)
      .describe(
        'delayed: its time has not come; concurrency: its concurrency key has no free slot; no_executor: none that is online fits; draining: those that fit are drained; slots_full: those that fit have no free slot; ready: one takes it within moments',
      ),
    message: z.string().describe('The same as text, with what is missing'),
  })
  .meta({ id: 'QueuedRun' });

export function registerQueueRoutes(app: App, store: Store): void {
  const routes = new Routes(app, { tag: 'Server', read: member('viewer', 'runs:read') });
  routes.get(
    '/api/server/queue',
    {
      id: 'listQueue',
      summary: 'Runs that wait for an executor, and why each of them waits',
      description: 'Oldest first. `POST /api/runs/{id}/cancel` takes one out of the queue.',
      query: pageQuery.extend({ sort: sortable(['created_at'], 'created_at') }),
      answer: pageOf(queuedRun),
      sends: ['Link'],
    },
    async (request, reply) => {
      const { read, dialect } = store;
      const paging = pagingOf(request, 'created_at');
      const rows = await selectQueue(read, paging);
      const now = await selectNow(read, dialect);
      const keys = new Set(rows.flatMap(({ concurrency_key: key }) => key ?? []));
      const jobIds = new Set(rows.flatMap(({ job_id: id }) => id ?? []));
      const names = await selectJobNames(read, [...jobIds]);
      const reasonOf = waitingReasons({
        now,
        executors: await selectPresentExecutors(read, now - EXECUTOR_AWAY_MS, EXECUTORS_MAX),
        held: keys.size === 0 ? new Map() : await countHeld(read, dialect, [...keys]),
      });
      const show = (row: QueuedRun) => ({ ...toQueued(row, names), ...reasonOf(row) });
      return answerPage(request, reply, toPage(rows, paging, show));
    },
  );
}

function toQueued(row: QueuedRun, names: ReadonlyMap<number, string>) {
  const { id, task_id, task_name, job_id, job_run_id, task_key, priority, attempt, reason } = row;
  return {
    ...{ id, task_id, task_name, job_id, job_run_id, task_key, priority, attempt, reason },
    job_name: job_id === null ? null : (names.get(job_id) ?? null),
    labels: JSON.parse(row.labels_json) as Record<string, string>,
    created_at: timestamp(row.created_at),
    available_at: timestamp(row.available_at),
    expires_at: timestampOrNull(row.queue_expires_at),
  };
}
