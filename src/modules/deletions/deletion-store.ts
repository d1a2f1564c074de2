import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../store/store.ts';

/** Notified after the commit that marks something. */
export const DELETIONS_CHANNEL = 'deletions';

/** Marks of one INSERT: below the engines' limits of bound values. */
const MARKS_PER_INSERT = 500;

interface LeftTable {
  readonly table: string;
  /** The column with the id of the deleted record. */
  readonly owner: string;
  readonly key: string;
}

/** What outlives the deleted record of each kind for a while. A job's runs are deleted, and marked, before its own rows. */
const LEFT = {
  run: [
    { table: 'dead_letters', owner: 'run_id', key: 'id' },
    { table: 'run_steps', owner: 'run_id', key: 'run_id, attempt, position' },
    { table: 'run_parts', owner: 'run_id', key: 'run_id, step_id, number' },
    { table: 'run_part_plans', owner: 'run_id', key: 'run_id, step_id' },
    { table: 'run_status_history', owner: 'run_id', key: 'id' },
    { table: 'run_attempts', owner: 'run_id', key: 'run_id, attempt' },
  ],
  job: [{ table: 'job_config_versions', owner: 'job_id', key: 'id' }],
  trigger: [{ table: 'trigger_ticks', owner: 'trigger_id', key: 'trigger_id, scheduled_for' }],
  backfill: [{ table: 'backfill_times', owner: 'backfill_id', key: 'backfill_id, scheduled_for' }],
  webhook: [{ table: 'webhook_deliveries', owner: 'webhook_id', key: 'id' }],
} as const satisfies Readonly<Record<string, readonly LeftTable[]>>;

export type DeletionKind = keyof typeof LEFT;
export const DELETION_KINDS = Object.keys(LEFT) as readonly DeletionKind[];

/** In the transaction that deletes the records themselves; notify `DELETIONS_CHANNEL` after it. */
export async function markDeleted(
  tx: Tx,
  kind: DeletionKind,
  ids: readonly number[],
  now: number,
): Promise<void> {
  for (let at = 0; at < ids.length; at += MARKS_PER_INSERT) {
    const marks = ids.slice(at, at + MARKS_PER_INSERT);
    await tx
      .insertInto('deletions')
      .values(marks.map((target_id) => ({ kind, target_id, created_at: now })))
      .onConflict((oc) => oc.doNothing())
      .execute();
  }
}

/**
 * For lists: false for what belongs to a deleted job. `column` holds the job's id, or null. Not `exists`: PostgreSQL would join,
 * take the result for nearly empty, and sort it rather than read it in order.
 */
export function notOfDeletedJob(column: string): RawBuilder<boolean> {
  const id = sql.ref(column);
  return sql<boolean>`(${id} is null or ${id} not in (select target_id from deletions where kind = 'job'))`;
}

/** The oldest marks first. */
export async function selectMarked(db: Db, kind: DeletionKind, limit: number): Promise<number[]> {
  const query = db.selectFrom('deletions').select('target_id').where('kind', '=', kind);
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map((row) => row.target_id);
}

/** Deletes at most `limit` of the rows that these records have left; gives how many. */
export async function deleteLeft(
  tx: Tx,
  kind: DeletionKind,
  ids: readonly number[],
  limit: number,
): Promise<number> {
  let deleted = 0;
  for (const { table, owner, key } of LEFT[kind]) {
    if (deleted >= limit) break;
    const [from, keys] = [sql.table(table), sql.raw(key)];
    const result = await sql`delete from ${from} where (${keys}) in (
      select ${keys} from ${from} where ${sql.ref(owner)} in (${sql.join(ids)}) limit ${limit - deleted})`.execute(
      tx,
    );
    deleted += Number(result.numAffectedRows ?? 0n);
  }
  return deleted;
}

export async function hasLeft(db: Db, kind: DeletionKind, ids: readonly number[]): Promise<boolean> {
  for (const { table, owner } of LEFT[kind]) {
    const found =
      await sql`select 1 from ${sql.table(table)} where ${sql.ref(owner)} in (${sql.join(ids)}) limit 1`.execute(
        db,
      );
    if (found.rows.length > 0) return true;
  }
  return false;
}

export async function hasJobRuns(db: Db, jobId: number): Promise<boolean> {
  const query = db.selectFrom('job_runs').select('id').where('job_id', '=', jobId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function unmark(tx: Tx, kind: DeletionKind, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('deletions').where('kind', '=', kind).where('target_id', 'in', ids).execute();
}

/** The next runs of a deleted job; then it has none. */
export async function selectRunsOfDeletedJob(db: Db, jobId: number, limit: number): Promise<number[]> {
  const query = db.selectFrom('runs').select('id').where('job_id', '=', jobId).orderBy('id');
  return (await query.limit(limit).execute()).map((row) => row.id);
}

/** Deletes runs that have ended, with those that helped them: the rest of them follows, as that of marked ones. */
export async function deleteRuns(tx: Tx, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return;
  const helping = await tx.selectFrom('runs').select('id').where('helps_run_id', 'in', ids).execute();
  const all = [...ids, ...helping.map(({ id }) => id)];
  await tx.deleteFrom('runs').where('id', 'in', all).execute();
  await markDeleted(tx, 'run', all, now);
}

/** Deletes at most `limit` job runs of a deleted job, whose runs are gone; gives how many. */
export async function deleteJobRunsOf(tx: Tx, jobId: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from job_runs where id in (
    select id from job_runs where job_id = ${jobId} limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
