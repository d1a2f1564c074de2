import type { Db, Tx } from '../../../store/store.ts';
import { IS_ACTIVE } from '../../runs/run.ts';
import type { TickOutcome, TriggerRow } from '../trigger.ts';

/** The most waiting times of one trigger with `overlap: queue_all`; further ones are skipped. */
export const WAITING_TICKS_MAX = 100;

export interface NewTick {
  readonly trigger_id: number;
  readonly scheduled_for: number;
  readonly outcome: TickOutcome;
  readonly job_run_id: number | null;
}

/** Times of locked triggers that have no row yet. */
export async function insertTicks(tx: Tx, ticks: readonly NewTick[], now: number): Promise<void> {
  if (ticks.length === 0) return;
  const rows = ticks.map((tick) => ({ ...tick, created_at: now }));
  await tx.insertInto('trigger_ticks').values(rows).execute();
}

/** Whether a time was already handled: it fires once, even if the clock is set back. Reads all at once. */
export async function selectHandledTicks(
  db: Db,
  ticks: readonly { readonly trigger_id: number; readonly scheduled_for: number }[],
): Promise<(triggerId: number, scheduledFor: number) => boolean> {
  if (ticks.length === 0) return () => false;
  const rows = await db
    .selectFrom('trigger_ticks')
    .select(['trigger_id', 'scheduled_for'])
    .where('trigger_id', 'in', [...new Set(ticks.map((tick) => tick.trigger_id))])
    .where('scheduled_for', 'in', [...new Set(ticks.map((tick) => tick.scheduled_for))])
    .execute();
  const handled = new Set(rows.map((row) => `${row.trigger_id}/${row.scheduled_for}`));
  return (triggerId, scheduledFor) => handled.has(`${triggerId}/${scheduledFor}`);
}

/** The outcome of a time with a row. */
export async function markTick(
  tx: Tx,
  triggerId: number,
  scheduledFor: number,
  outcome: TickOutcome,
  jobRunId: number | null,
): Promise<void> {
  await tx
    .updateTable('trigger_ticks')
    .set({ outcome, job_run_id: jobRunId })
    .where('trigger_id', '=', triggerId)
    .where('scheduled_for', '=', scheduledFor)
    .execute();
}

/**
 * The times that wait, oldest first. They are started in their order, so they are the trigger's newest: no more rows than can
 * wait are read.
 */
export async function selectWaitingTicks(db: Db, triggerId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('trigger_ticks')
    .select(['scheduled_for', 'outcome'])
    .where('trigger_id', '=', triggerId)
    .orderBy('scheduled_for', 'desc')
    .limit(WAITING_TICKS_MAX)
    .execute();
  return rows
    .filter((row) => row.outcome === ('waiting' satisfies TickOutcome))
    .map((row) => row.scheduled_for)
    .reverse();
}

/** Skips all waiting times; returns their number. */
export async function skipWaitingTicks(tx: Tx, triggerId: number): Promise<number> {
  const result = await tx
    .updateTable('trigger_ticks')
    .set({ outcome: 'skipped' satisfies TickOutcome })
    .where('trigger_id', '=', triggerId)
    .where('outcome', '=', 'waiting' satisfies TickOutcome)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Triggers of idle, active jobs with a waiting time: their newest time is one. */
export async function selectTriggersToResume(db: Db, limit: number): Promise<TriggerRow[]> {
  return db
    .selectFrom('triggers')
    .innerJoin('jobs', 'jobs.id', 'triggers.job_id')
    .selectAll('triggers')
    .where('triggers.overlap', 'in', ['queue_all', 'queue_one', 'cancel_running'])
    .where('triggers.enabled', '=', 1)
    .where('jobs.status', '=', 'active')
    .where(
      (eb) =>
        eb
          .selectFrom('trigger_ticks')
          .select('outcome')
          .whereRef('trigger_ticks.trigger_id', '=', 'triggers.id')
          .orderBy('scheduled_for', 'desc')
          .limit(1),
      '=',
      'waiting' satisfies TickOutcome,
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job_runs')
            .select('job_runs.id')
            .whereRef('job_runs.job_id', '=', 'triggers.job_id')
            .where(IS_ACTIVE),
        ),
      ),
    )
    .orderBy('triggers.id')
    .limit(limit)
    .execute();
}

export async function deleteTicksBefore(
  tx: Tx,
  triggerIds: readonly number[],
  before: number,
): Promise<void> {
  if (triggerIds.length === 0) return;
  await tx
    .deleteFrom('trigger_ticks')
    .where('trigger_id', 'in', triggerIds)
    .where('scheduled_for', '<', before)
    .where('outcome', '!=', 'waiting' satisfies TickOutcome)
    .execute();
}
