import { sql } from 'kysely';
import type { Paging } from '../../../http/paging.ts';
import { onPage } from '../../../store/lists/keyset.ts';
import type { Db } from '../../../store/store.ts';
import { notOfDeletedJob } from '../../deletions/deletion-store.ts';
import type { RunNeeds } from '../../runs/queue/run-kind.ts';
import { hasStatus } from '../../runs/run-status-filter.ts';

const COLUMNS = [
  'runs.id',
  'task_id',
  'task_name',
  'job_id',
  'job_run_id',
  'task_key',
  'priority',
  'attempt',
  'reason',
  'created_at',
  'available_at',
  'queue_expires_at',
  'waiting',
  'concurrency_key',
  'concurrency_limit',
  'connector_types',
  'labels_json',
] as const;

export type QueuedRun = Awaited<ReturnType<typeof selectQueue>>[number];

/** Runs in the queue, in the order of `paging`; one more than the page. */
export async function selectQueue(db: Db, paging: Paging) {
  const query = db
    .selectFrom('runs')
    .select(COLUMNS)
    .where(hasStatus('queued'))
    .where('helps_run_id', 'is', null)
    .where(notOfDeletedJob('runs.job_id'));
  return onPage(query, paging).execute();
}

/** The names of these jobs. */
export async function selectJobNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('jobs').select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** An executor that was seen, and how many runs it has. */
export interface PresentExecutor extends RunNeeds {
  readonly id: number;
  readonly name: string;
  readonly slots: number;
  readonly held: number;
  readonly drains: boolean;
}

/** Executors seen since `since` that have not left, at most `limit`. */
export async function selectPresentExecutors(
  db: Db,
  since: number,
  limit: number,
): Promise<PresentExecutor[]> {
  const { rows } = await sql<Omit<PresentExecutor, 'drains'> & { drains: number }>`
    select id, name, slots, connector_types, labels_json,
      case when status = 'draining' or drain_requested_at is not null then 1 else 0 end as drains,
      (select count(*) from runs where executor_id = executors.id and runs.status in ('running', 'cancelling')) as held
    from executors where status <> 'gone' and last_seen_at >= ${since} order by name, id limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, held: Number(row.held), drains: Number(row.drains) === 1 }));
}
