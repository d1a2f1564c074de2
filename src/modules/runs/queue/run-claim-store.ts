import { sql } from 'kysely';
import type { Dialect, RowColumns } from '../../../store/dialect.ts';
import type { Db, Tx } from '../../../store/store.ts';
import { type RunRow, SUSPECT_LOSSES } from '../run.ts';
import type { RunNeeds } from './run-kind.ts';

const CLAIMABLE_COLUMNS = [
  'id',
  'kind',
  'connector_types',
  'labels_json',
  'priority',
  'queue_rank',
  'available_at',
  'attempt',
  'epoch',
  'reason',
  'task_name',
  'concurrency_key',
  'concurrency_limit',
] as const satisfies readonly (keyof RunRow)[];

/** What a claim reads of a run. */
export type ClaimableRun = Pick<RunRow, (typeof CLAIMABLE_COLUMNS)[number]>;

/** Whether anything may be claimed now. */
export async function hasClaimable(db: Db, dialect: Dialect): Promise<boolean> {
  // The lower bound of the kind leads SQLite to the index.
  const { rows } = await sql`select 1 from runs where status = 'queued' and waiting is null and kind >= ''
    and available_at <= ${dialect.nowMs} limit 1`.execute(db);
  return rows.length > 0;
}

export async function hasQueued(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from (
      select 1 from runs where status = 'queued' and waiting is null and kind >= '' limit 1) as free
    union all select 1 from (
      select 1 from runs where status = 'queued' and waiting is not null and waiting >= '' limit 1) as marked`.execute(
    db,
  );
  return rows.length > 0;
}

export async function markLosses(tx: Tx, id: number, losses: number): Promise<void> {
  await tx.updateTable('runs').set({ losses }).where('id', '=', id).execute();
}

/** The kinds of runs that may be claimed, or, with `mark`, of those so marked. A step of the index each, however many runs. */
export async function selectKinds(
  db: Db,
  limit: number,
  mark: 'no_executor' | null = null,
): Promise<string[]> {
  const such = mark === null ? sql`waiting is null` : sql`waiting is not null and waiting = ${mark}`;
  const { rows } = await sql<{ kind: string }>`
    with recursive kinds (kind) as (
      select (select min(kind) from runs where status = 'queued' and ${such})
      union all
      select (select min(kind) from runs where status = 'queued' and ${such} and kind > kinds.kind)
      from kinds where kinds.kind is not null)
    select kind from kinds where kind is not null limit ${limit}`.execute(db);
  return rows.map((row) => row.kind);
}

/** What runs of this kind need, by one that may be claimed or is so marked; null where none is left in the queue. */
export async function selectNeeds(
  db: Db,
  kind: string,
  mark: 'no_executor' | null = null,
): Promise<RunNeeds | null> {
  const such = mark === null ? sql`waiting is null` : sql`waiting is not null and waiting = ${mark}`;
  const { rows } = await sql<RunNeeds>`select connector_types, labels_json from runs
    where status = 'queued' and ${such} and kind = ${kind} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Of each kind its first runs that are available, locked where the engine has several writers; what others have locked is left out. */
export async function lockClaimable(
  tx: Tx,
  dialect: Dialect,
  wanted: readonly { readonly kind: string; readonly count: number }[],
  now: number,
): Promise<ClaimableRun[]> {
  if (wanted.length === 0) return [];
  const columns = sql.join(CLAIMABLE_COLUMNS.map((name) => sql.ref(name)));
  const parts = wanted.map(
    ({ kind, count }) => sql`select * from (
      select ${columns} from runs
      where status = 'queued' and waiting is null and kind = ${kind} and available_at <= ${now}
      order by priority desc, queue_rank, available_at, id limit ${count} ${dialect.skipLocked}) as part`,
  );
  return (await sql<ClaimableRun>`${sql.join(parts, sql` union all `)}`.execute(tx)).rows;
}

/** A run with the lease that it is given. */
export interface LeasedRun {
  readonly id: number;
  readonly executor_id: number;
  readonly token: string;
  readonly reason: string;
  readonly attempt: number;
  readonly epoch: number;
}

const LEASED: RowColumns = {
  id: 'bigint',
  executor_id: 'bigint',
  token: 'text',
  reason: 'text',
  attempt: 'bigint',
  epoch: 'bigint',
};

/** Gives queued runs, locked by the caller, to their executors: a new attempt each, with a new epoch and token. */
export async function leaseRuns(
  tx: Tx,
  dialect: Dialect,
  leases: readonly LeasedRun[],
  expires: number,
  now: number,
): Promise<void> {
  const given = dialect.rows(LEASED, leases);
  await dialect.together(tx, [
    sql`update runs set status = 'running', reason = given.reason, attempt = given.attempt,
      epoch = given.epoch, lease_token = given.token, lease_expires_at = ${expires}, acknowledged = 0,
      executor_id = given.executor_id, progress_json = null
      from ${given} as given where runs.id = given.id`,
    sql`insert into run_attempts (run_id, attempt, epoch, lease_token, executor_id, started_at)
      select id, attempt, epoch, token, executor_id, cast(${now} as bigint) from ${given} as given`,
    sql`insert into run_status_history (run_id, at, from_status, to_status, reason, attempt)
      select id, cast(${now} as bigint), 'queued', 'running', reason, attempt from ${given} as given`,
  ]);
}

/** Of these executors those that hold a run of a suspect kind. */
export async function selectHoldersOfSuspects(
  tx: Tx,
  dialect: Dialect,
  executorIds: readonly number[],
): Promise<Set<number>> {
  const wanted = dialect.rows(
    { id: 'bigint' },
    executorIds.map((id) => ({ id })),
  );
  const { rows } = await sql<{ executor_id: number }>`select distinct executor_id from runs
    where executor_id in (select id from ${wanted} as wanted) and status in ('running', 'cancelling')
      and losses >= ${SUSPECT_LOSSES}`.execute(tx);
  return new Set(rows.map((row) => row.executor_id));
}
