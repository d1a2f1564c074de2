import { sql } from 'kysely';
import type { RegisterRequest } from '../../protocol/control-plane.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import { offersOf, type RunNeeds } from '../runs/queue/run-kind.ts';
import { IS_LEASED, joinTypes, type RunRow } from '../runs/run.ts';
import { runRows } from '../runs/run-rows.ts';
import type { ExecutorRow } from './executor.ts';

/** Idempotent by (name, instance): the same instance keeps its id and whether it is drained, and gets a new token. */
export async function upsertExecutor(
  tx: Tx,
  request: RegisterRequest,
  tokenHash: string,
  now: number,
): Promise<Pick<ExecutorRow, 'id' | 'drain_requested_at'>> {
  const values = {
    name: request.name,
    instance_id: request.instance_id,
    session_token_hash: tokenHash,
    version: request.version,
    protocol_version: request.protocol_version,
    labels_json: JSON.stringify(request.labels),
    connector_types: joinTypes(offersOf(request)),
    slots: request.slots,
    status: 'online',
    registered_at: now,
    last_seen_at: now,
  };
  const { name: _name, instance_id: _instance, ...changed } = values;
  return tx
    .insertInto('executors')
    .values(values)
    .onConflict((oc) => oc.columns(['name', 'instance_id']).doUpdateSet(changed))
    .returning(['id', 'drain_requested_at'])
    .executeTakeFirstOrThrow();
}

export async function selectExecutor(db: Db, id: number): Promise<ExecutorRow | null> {
  return (await db.selectFrom('executors').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

type OnlineExecutor = Pick<ExecutorRow, 'id' | 'connector_types' | 'labels_json'> & {
  /** The store's time. */
  readonly now: number;
};

/** The ones among these executors that can get work. */
export async function selectOnlineExecutors(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<OnlineExecutor[]> {
  const wanted = dialect.rows(
    { id: 'bigint' },
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<OnlineExecutor>`
    select id, connector_types, labels_json, ${dialect.nowMs} as now from executors
    where id in (select id from ${wanted} as wanted) and status = 'online' and drain_requested_at is null order by id`.execute(
    db,
  );
  return rows;
}

/** The capabilities of executors seen since `since` that can get work, or of those that drain, without duplicates. */
export async function selectPresentNeeds(
  db: Db,
  since: number,
  which: 'online' | 'draining' = 'online',
): Promise<RunNeeds[]> {
  const drains = sql<boolean>`(status = 'draining' or drain_requested_at is not null)`;
  return db
    .selectFrom('executors')
    .select(['connector_types', 'labels_json'])
    .distinct()
    .where('status', '<>', 'gone')
    .where((eb) => (which === 'online' ? eb.not(drains) : drains))
    .where('last_seen_at', '>=', since)
    .execute();
}

/** The executor, locked until the transaction ends; null where there is none. */
export async function lockExecutor(tx: Tx, dialect: Dialect, id: number): Promise<ExecutorRow | null> {
  const query = tx.selectFrom('executors').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

/** Whether an operator wants it to get no more runs: since when, and who; null: it may. */
export async function updateExecutorDrain(
  tx: Tx,
  id: number,
  drain: { readonly at: number; readonly by: string } | null,
): Promise<void> {
  const set = { drain_requested_at: drain?.at ?? null, drain_requested_by: drain?.by ?? null };
  await tx.updateTable('executors').set(set).where('id', '=', id).execute();
}

/** How many runs each executor has. */
export async function countHeldRuns(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{
    executor_id: number;
    held: number;
  }>`select executor_id, count(*) as held from runs
    where status in ('running', 'cancelling') and executor_id is not null group by executor_id`.execute(db);
  return new Map(rows.map((row) => [row.executor_id, Number(row.held)]));
}

export async function selectExecutors(db: Db, limit: number): Promise<ExecutorRow[]> {
  return db.selectFrom('executors').selectAll().orderBy('last_seen_at', 'desc').limit(limit).execute();
}

/** The runs leased by this executor, locked in the order of their ids. */
export async function lockHeldRuns(tx: Tx, dialect: Dialect, executorId: number): Promise<RunRow[]> {
  return runRows(tx)
    .where('executor_id', '=', executorId)
    .where(IS_LEASED)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

/** Executors of this name that have not left, or the one instance of it. */
export async function selectPresentExecutorIds(
  tx: Tx,
  name: string,
  instanceId: string | null,
): Promise<number[]> {
  const named = tx
    .selectFrom('executors')
    .select('id')
    .where('name', '=', name)
    .where('status', '<>', 'gone');
  const rows = await (instanceId === null ? named : named.where('instance_id', '=', instanceId)).execute();
  return rows.map((row) => row.id);
}

export async function updateExecutorStatus(
  tx: Tx,
  id: number,
  status: 'online' | 'draining' | 'gone',
  now: number,
): Promise<void> {
  await tx.updateTable('executors').set({ status, last_seen_at: now }).where('id', '=', id).execute();
}

/** Executors that have been silent since `before` without leaving. */
export async function selectLostExecutors(
  db: Db,
  before: number,
): Promise<Pick<ExecutorRow, 'id' | 'name' | 'last_seen_at'>[]> {
  return db
    .selectFrom('executors')
    .select(['id', 'name', 'last_seen_at'])
    .where('status', '<>', 'gone')
    .where('last_seen_at', '<', before)
    .orderBy('id')
    .execute();
}

/** Those that have been silent since `before` are gone: if they come back, they register again. */
export async function updateLostGone(tx: Tx, before: number): Promise<void> {
  await tx
    .updateTable('executors')
    .set({ status: 'gone' })
    .where('status', '<>', 'gone')
    .where('last_seen_at', '<', before)
    .execute();
}

/** One lost executor of this name is gone: the longest silent. */
export async function updateReplacedGone(tx: Tx, name: string, before: number): Promise<void> {
  const replaced = tx
    .selectFrom('executors')
    .select('id')
    .where('name', '=', name)
    .where('status', '<>', 'gone')
    .where('last_seen_at', '<', before)
    .orderBy('last_seen_at')
    .limit(1);
  await tx.updateTable('executors').set({ status: 'gone' }).where('id', '=', replaced).execute();
}

/** Deletes executors not seen since `before` that hold nothing. */
export async function deleteStaleExecutors(tx: Tx, before: number): Promise<void> {
  await tx
    .deleteFrom('executors')
    .where('last_seen_at', '<', before)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('runs')
        .select('executor_id')
        .where(IS_LEASED)
        .where('executor_id', 'is not', null)
        .$castTo<{ executor_id: number }>(),
    )
    .execute();
}
