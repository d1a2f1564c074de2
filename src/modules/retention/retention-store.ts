import { sql } from 'kysely';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';

/** What counts together for "the last N": job runs of a job, runs of a task without a job, replays of a job's dead letters. */
export const RUN_GROUPS = ['job_runs', 'task_runs', 'replays'] as const;
export type RunGroup = (typeof RUN_GROUPS)[number];

const GROUPS = {
  job_runs: { table: 'job_runs', owner: 'job_id', rows: sql`1 = 1` },
  task_runs: { table: 'runs', owner: 'task_id', rows: sql`job_id is null` },
  replays: { table: 'runs', owner: 'job_id', rows: sql`job_run_id is null and job_id is not null` },
} as const;

/** The next job or task that has any, after this one; null where there is none. */
export async function selectNextOwner(db: Db, group: RunGroup, after: number): Promise<number | null> {
  const { table, owner, rows } = GROUPS[group];
  const found = await sql<{ id: number | null }>`select min(${sql.ref(owner)}) as id from ${sql.table(table)}
    where ${rows} and ${sql.ref(owner)} > ${after}`.execute(db);
  return found.rows[0]?.id ?? null;
}

/** The oldest of the newest `count`: what is older may go. Null where there are not more than those. */
export async function selectOldestKept(
  db: Db,
  group: RunGroup,
  ownerId: number,
  count: number,
): Promise<number | null> {
  const { table, owner, rows } = GROUPS[group];
  const found = await sql<{ id: number }>`select id from ${sql.table(table)}
    where ${rows} and ${sql.ref(owner)} = ${ownerId} order by id desc limit 1 offset ${count - 1}`.execute(
    db,
  );
  return found.rows[0]?.id ?? null;
}

export interface Range {
  /** Ids after this one. */
  readonly after: number;
  /** And before this one; null: all. */
  readonly before: number | null;
}

/** The oldest ones of a range, whether they may go or not. */
export async function selectOldest(
  db: Db,
  group: RunGroup,
  ownerId: number,
  { after, before }: Range,
  limit: number,
): Promise<{ id: number; created_at: number }[]> {
  const { table, owner, rows } = GROUPS[group];
  const older = before === null ? sql`1 = 1` : sql`id < ${before}`;
  const found = await sql<{ id: number; created_at: number }>`select id, created_at from ${sql.table(table)}
    where ${rows} and ${sql.ref(owner)} = ${ownerId} and id > ${after} and ${older} order by id limit ${limit}`.execute(
    db,
  );
  return found.rows;
}

export interface Deletable {
  /** Ended before this time; null: whenever. */
  readonly endedBefore: number | null;
  readonly status?: string | undefined;
  /** Also those with dead letters that nobody has settled. */
  readonly openDeadLetters: boolean;
}

/**
 * Those of them that have ended and that nothing needs: no rerun or replay of them is left, no open dead letter, no trigger
 * shows them as its last, and no backfill that is running has started them.
 */
export async function selectDeletable(
  db: Db,
  group: RunGroup,
  ids: readonly number[],
  { endedBefore, status, openDeadLetters }: Deletable,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const ended = endedBefore === null ? sql`ended_at is not null` : sql`ended_at < ${endedBefore}`;
  const asked = status === undefined ? sql`1 = 1` : sql`status = ${status}`;
  const unsettled = openDeadLetters ? sql`('replaying')` : sql`('open', 'replaying')`;
  const neededRun = sql`(
    exists (select 1 from runs as later where later.rerun_of = runs.id)
    or exists (select 1 from dead_letters where dead_letters.run_id = runs.id and dead_letters.status in ${unsettled}))`;
  const free =
    group === 'job_runs'
      ? sql`not exists (select 1 from job_runs as later where later.rerun_of = job_runs.id)
        and not exists (select 1 from runs where runs.job_run_id = job_runs.id and ${neededRun})
        and not exists (select 1 from triggers
          where triggers.job_id = job_runs.job_id and triggers.last_run_id = job_runs.id)
        and not exists (select 1 from backfills
          where backfills.id = job_runs.backfill_id and backfills.status in ('running', 'paused'))`
      : sql`not ${neededRun}`;
  const found = await sql<{ id: number }>`select id from ${sql.table(GROUPS[group].table)}
    where id in (${sql.join(ids)}) and ${ended} and ${asked} and ${free}`.execute(db);
  return found.rows.map((row) => row.id);
}

/** In the order of their ids. */
export async function lockJobRuns(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  const query = tx.selectFrom('job_runs').select('id').where('id', 'in', ids).orderBy('id');
  await query.modifyEnd(dialect.forUpdate).execute();
}

export async function selectRunIdsOf(db: Db, jobRunIds: readonly number[]): Promise<number[]> {
  if (jobRunIds.length === 0) return [];
  const query = db.selectFrom('runs').select('id').where('job_run_id', 'in', jobRunIds).orderBy('id');
  return (await query.execute()).map((row) => row.id);
}

/** Entries are in the order of their time, so those that may go are the first: the table is never searched. */
export async function deleteAuditBefore(tx: Tx, before: number, limit: number): Promise<number> {
  const oldest = await tx.selectFrom('audit_logs').select(['id', 'at']).orderBy('id').limit(limit).execute();
  const end = oldest.findIndex(({ at }) => at >= before);
  const old = end < 0 ? oldest : oldest.slice(0, end);
  const last = old.at(-1);
  if (last === undefined) return 0;
  await tx.deleteFrom('audit_logs').where('id', '<=', last.id).execute();
  return old.length;
}

/** Jobs after this one, with the version of their configuration. */
export async function selectConfigVersionsOfJobs(
  db: Db,
  after: number,
  limit: number,
): Promise<{ id: number; config_version: number }[]> {
  const query = db.selectFrom('jobs').select(['id', 'config_version']).where('id', '>', after);
  return query.orderBy('id').limit(limit).execute();
}

export async function deleteConfigVersions(
  tx: Tx,
  jobId: number,
  upTo: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`delete from job_config_versions where id in (
    select id from job_config_versions where job_id = ${jobId} and version <= ${upTo} limit ${limit})`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

/** Backfills that ended before this time. */
export async function selectOldBackfills(db: Db, before: number, limit: number): Promise<number[]> {
  const query = db.selectFrom('backfills').select('id').where('ended_at', '<', before).orderBy('id');
  return (await query.limit(limit).execute()).map((row) => row.id);
}

export async function deleteBackfills(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('backfills').where('id', 'in', ids).execute();
}
