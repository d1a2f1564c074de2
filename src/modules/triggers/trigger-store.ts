import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { JobRow } from '../jobs/job.ts';
import { ACTIVE_STATUSES } from '../runs/run.ts';
import type { TriggerRow, TriggerSettings } from './trigger.ts';

export async function selectTrigger(db: Db, id: number): Promise<TriggerRow | null> {
  return (await db.selectFrom('triggers').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export interface TriggerFilters {
  readonly job_id?: number | undefined;
  readonly enabled?: boolean | undefined;
}

/** Newest first; one row more than the page. */
export async function selectTriggers(db: Db, filters: TriggerFilters, paging: Paging): Promise<TriggerRow[]> {
  let query = db
    .selectFrom('triggers')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(paging.limit + 1);
  if (paging.after !== null) query = query.where('id', '<', paging.after);
  if (filters.job_id !== undefined) query = query.where('job_id', '=', filters.job_id);
  if (filters.enabled !== undefined) query = query.where('enabled', '=', Number(filters.enabled));
  return query.execute();
}

export async function insertTrigger(
  tx: Tx,
  jobId: number,
  settings: TriggerSettings,
  nextRunAt: number | null,
  now: number,
): Promise<TriggerRow> {
  return tx
    .insertInto('triggers')
    .values({
      ...settings,
      job_id: jobId,
      enabled: Number(settings.enabled),
      next_run_at: nextRunAt,
      missed_count: 0,
      skipped_count: 0,
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A new version; `dropped` waiting times count as skipped. */
export async function updateTrigger(
  tx: Tx,
  before: TriggerRow,
  settings: TriggerSettings,
  nextRunAt: number | null,
  dropped: number,
  now: number,
): Promise<TriggerRow> {
  return tx
    .updateTable('triggers')
    .set((eb) => ({
      ...settings,
      enabled: Number(settings.enabled),
      next_run_at: nextRunAt,
      skipped_count: eb('skipped_count', '+', dropped),
      version: before.version + 1,
      updated_at: now,
    }))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteTrigger(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('triggers').where('id', '=', id).execute();
}

/** Triggers whose time has come, in the order of their ids, after the id `after`. */
export async function selectDueTriggers(
  db: Db,
  now: number,
  after: number,
  limit: number,
): Promise<TriggerRow[]> {
  return db
    .selectFrom('triggers')
    .selectAll()
    .where('enabled', '=', 1)
    .where('next_run_at', '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Locks a trigger that is still as it was read. False where another control plane has it or has had it, or where it was
 * changed: whoever looks next finds it as it is then.
 */
export async function lockUnchangedTrigger(tx: Tx, dialect: Dialect, row: TriggerRow): Promise<boolean> {
  const found = await tx
    .selectFrom('triggers')
    .select('id')
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .where('enabled', '=', 1)
    .where('next_run_at', row.next_run_at === null ? 'is' : '=', row.next_run_at)
    .modifyEnd(dialect.skipLocked)
    .executeTakeFirst();
  return found !== undefined;
}

/** The job run that a trigger has started, and when. */
export interface Fired {
  readonly job_run_id: number;
  readonly at: number;
}

export interface TriggerAdvance {
  readonly next_run_at: number | null;
  readonly missed: number;
  readonly skipped: number;
  /** null where nothing was started. */
  readonly fired: Fired | null;
}

/** Moves a locked trigger on from the time that it had; its version stays. */
export async function advanceTrigger(tx: Tx, row: TriggerRow, advance: TriggerAdvance): Promise<void> {
  const { fired } = advance;
  await tx
    .updateTable('triggers')
    .set((eb) => ({
      next_run_at: advance.next_run_at,
      missed_count: eb('missed_count', '+', advance.missed),
      skipped_count: eb('skipped_count', '+', advance.skipped),
      ...(fired === null ? {} : { last_fired_at: fired.at, last_run_id: fired.job_run_id }),
    }))
    .where('id', '=', row.id)
    .execute();
}

/** A start that leaves the trigger's next time as it is. */
export async function recordFired(tx: Tx, id: number, fired: Fired): Promise<void> {
  await tx
    .updateTable('triggers')
    .set({ last_fired_at: fired.at, last_run_id: fired.job_run_id })
    .where('id', '=', id)
    .execute();
}

/** Locks the job, so that of two triggers of one job the second sees the run that the first has started. */
export async function lockJob(tx: Tx, dialect: Dialect, id: number): Promise<JobRow | null> {
  const query = tx.selectFrom('jobs').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

/** A run of the job that has not ended; null where it is idle. */
export async function selectActiveJobRunId(db: Db, jobId: number): Promise<number | null> {
  const row = await db
    .selectFrom('job_runs')
    .select('id')
    .where('job_id', '=', jobId)
    .where('status', 'in', ACTIVE_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
