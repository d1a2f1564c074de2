import type { Paging } from '../../../http/paging.ts';
import type { Dialect } from '../../../store/dialect.ts';
import { onPage } from '../../../store/lists/keyset.ts';
import type { Db, Tx } from '../../../store/store.ts';
import { IS_ACTIVE, isActive } from '../../runs/run.ts';
import {
  type BackfillProgress,
  type BackfillRow,
  type BackfillStatus,
  emptyProgress,
  PENDING,
  type TimeOutcome,
} from './backfill.ts';
import type { BackfillRequest, PlannedTime } from './backfill-plan.ts';

/** Below the engines' limits of bound values. */
const TIMES_PER_INSERT = 1_000;

/**
 * The outcomes of a trigger's times from `from` up to `to`: pending in an open backfill, else the newest job run, else the
 * tick.
 */
export async function selectTimeOutcomes(
  db: Db,
  triggerId: number,
  { from, to }: Pick<BackfillRequest, 'from' | 'to'>,
): Promise<ReadonlyMap<number, TimeOutcome>> {
  const outcomes = new Map<number, TimeOutcome>();
  const ticks = await db
    .selectFrom('trigger_ticks')
    .select(['scheduled_for', 'outcome'])
    .where('trigger_id', '=', triggerId)
    .where('scheduled_for', '>=', from)
    .where('scheduled_for', '<', to)
    .where('outcome', '!=', 'started')
    .execute();
  for (const { scheduled_for, outcome } of ticks) outcomes.set(scheduled_for, { outcome, job_run_id: null });
  const runs = await db
    .selectFrom('job_runs')
    .select(['id', 'scheduled_for', 'status', 'reason', 'started_at'])
    .where('trigger_id', '=', triggerId)
    .where('scheduled_for', '>=', from)
    .where('scheduled_for', '<', to)
    .orderBy('id')
    .execute();
  for (const { id, scheduled_for, status, reason, started_at } of runs) {
    const skipped = status === 'cancelled' && reason === 'overlap' && started_at === null;
    if (scheduled_for !== null)
      outcomes.set(scheduled_for, { outcome: skipped ? 'skipped' : status, job_run_id: id });
  }
  const planned = await db
    .selectFrom('backfill_times')
    .innerJoin('backfills', 'backfills.id', 'backfill_times.backfill_id')
    .select('backfill_times.scheduled_for')
    .where('backfills.trigger_id', '=', triggerId)
    .where('backfills.status', 'in', ['running', 'paused'] satisfies BackfillStatus[])
    .where('backfill_times.job_run_id', 'is', null)
    .where('backfill_times.scheduled_for', '>=', from)
    .where('backfill_times.scheduled_for', '<', to)
    .execute();
  for (const { scheduled_for } of planned) outcomes.set(scheduled_for, PENDING);
  return outcomes;
}

export interface NewBackfill extends BackfillRequest {
  readonly job_id: number;
  readonly trigger_id: number;
  readonly config: Readonly<Record<string, unknown>>;
  readonly concurrency_key: string | null;
  readonly created_by: string;
}

export async function insertBackfill(
  tx: Tx,
  backfill: NewBackfill,
  times: readonly PlannedTime[],
  now: number,
): Promise<BackfillRow> {
  const { from, to, order, config, config_override, ...columns } = backfill;
  const row = await tx
    .insertInto('backfills')
    .values({
      ...columns,
      from_at: from,
      to_at: to,
      run_order: order,
      config_override_json: config_override === null ? null : JSON.stringify(config_override),
      config_json: JSON.stringify(config),
      status: 'running' satisfies BackfillStatus,
      total: times.length,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const rows = times.map(({ at, before }, position) => ({
    backfill_id: row.id,
    scheduled_for: at,
    interval_start: before,
    position,
  }));
  for (let at = 0; at < rows.length; at += TIMES_PER_INSERT) {
    await tx
      .insertInto('backfill_times')
      .values(rows.slice(at, at + TIMES_PER_INSERT))
      .execute();
  }
  return row;
}

export async function selectBackfill(db: Db, id: number): Promise<BackfillRow | null> {
  return (await db.selectFrom('backfills').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function lockBackfill(tx: Tx, dialect: Dialect, id: number): Promise<BackfillRow | null> {
  const query = tx.selectFrom('backfills').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

/** As `lockBackfill`, if it is running and no other control plane has it. */
export async function claimBackfill(tx: Tx, dialect: Dialect, id: number): Promise<BackfillRow | null> {
  const query = tx
    .selectFrom('backfills')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'running' satisfies BackfillStatus)
    .modifyEnd(dialect.skipLocked);
  return (await query.executeTakeFirst()) ?? null;
}

/** Of one trigger, in the order of `paging`; one row more than the page. */
export async function selectBackfills(db: Db, triggerId: number, paging: Paging): Promise<BackfillRow[]> {
  const query = db.selectFrom('backfills').selectAll().where('trigger_id', '=', triggerId);
  return onPage(query, paging).execute();
}

/** The running ones, oldest first. */
export async function selectRunningBackfillIds(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('backfills')
    .select('id')
    .where('status', '=', 'running' satisfies BackfillStatus)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export async function selectProgress(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BackfillProgress>> {
  const progress = new Map(ids.map((id) => [id, emptyProgress()]));
  if (ids.length === 0) return progress;
  const rows = await db
    .selectFrom('backfill_times')
    .leftJoin('job_runs', 'job_runs.id', 'backfill_times.job_run_id')
    .select((eb) => [
      'backfill_times.backfill_id',
      'job_runs.status',
      eb.fn.count<number>('backfill_times.scheduled_for').as('times'),
      eb.fn.count<number>('backfill_times.job_run_id').as('started'),
    ])
    .where('backfill_times.backfill_id', 'in', ids)
    .groupBy(['backfill_times.backfill_id', 'job_runs.status'])
    .execute();
  for (const { backfill_id, status, times, started } of rows) {
    const counts = progress.get(backfill_id);
    if (counts === undefined) continue;
    if (status === null) {
      counts.pending += Number(times) - Number(started);
      counts.deleted += Number(started);
    } else if (isActive(status)) counts.active += Number(times);
    else counts[status as 'success' | 'warning' | 'error' | 'cancelled'] += Number(times);
  }
  return progress;
}

/** The times of a backfill in the order of their starts, with their job runs; one row more than the page. */
export async function selectBackfillTimes(db: Db, id: number, paging: Paging) {
  const query = db
    .selectFrom('backfill_times')
    .leftJoin('job_runs', 'job_runs.id', 'backfill_times.job_run_id')
    .select([
      'backfill_times.position as id',
      'backfill_times.scheduled_for',
      'backfill_times.job_run_id',
      'job_runs.status',
    ])
    .where('backfill_times.backfill_id', '=', id);
  return onPage(query, paging, 'position').execute();
}

/** The next times to start. */
export async function selectPendingTimes(db: Db, id: number, limit: number) {
  return db
    .selectFrom('backfill_times')
    .select(['scheduled_for', 'interval_start'])
    .where('backfill_id', '=', id)
    .where('job_run_id', 'is', null)
    .orderBy('position')
    .limit(limit)
    .execute();
}

export async function markTimeStarted(
  tx: Tx,
  id: number,
  scheduledFor: number,
  jobRunId: number,
): Promise<void> {
  await tx
    .updateTable('backfill_times')
    .set({ job_run_id: jobRunId })
    .where('backfill_id', '=', id)
    .where('scheduled_for', '=', scheduledFor)
    .where('job_run_id', 'is', null)
    .execute();
}

/** Unfinished job runs of a backfill, oldest first. */
export async function selectActiveOfBackfill(db: Db, id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('job_runs')
    .select('id')
    .where('backfill_id', '=', id)
    .where(IS_ACTIVE)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function updateBackfillStatus(
  tx: Tx,
  id: number,
  change: {
    readonly status: BackfillStatus;
    readonly problem: string | null;
    readonly ended_at: number | null;
  },
): Promise<void> {
  await tx.updateTable('backfills').set(change).where('id', '=', id).execute();
}
