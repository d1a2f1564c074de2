import type { Db, Tx } from '../../store/store.ts';
import { ACTIVE_STATUSES } from '../runs/run.ts';
import type { TickOutcome, TriggerRow } from './trigger.ts';

/** So many times of one trigger wait with `overlap: queue_all`; those that come then are skipped. */
export const WAITING_TICKS_MAX = 100;

/** False where the time has been handled before: a time fires once, even where the clock is set back. */
export async function insertTick(
  tx: Tx,
  triggerId: number,
  scheduledFor: number,
  outcome: TickOutcome,
  now: number,
): Promise<boolean> {
  const result = await tx
    .insertInto('trigger_ticks')
    .values({ trigger_id: triggerId, scheduled_for: scheduledFor, outcome, created_at: now })
    .onConflict((conflict) => conflict.columns(['trigger_id', 'scheduled_for']).doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** What became of a time that has its row. */
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

/** Nothing waits any more; returns how many did. */
export async function skipWaitingTicks(tx: Tx, triggerId: number): Promise<number> {
  const result = await tx
    .updateTable('trigger_ticks')
    .set({ outcome: 'skipped' satisfies TickOutcome })
    .where('trigger_id', '=', triggerId)
    .where('outcome', '=', 'waiting' satisfies TickOutcome)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Triggers of idle, active jobs that have a time waiting: their newest time is one. */
export async function selectTriggersToResume(db: Db, limit: number): Promise<TriggerRow[]> {
  return db
    .selectFrom('triggers')
    .innerJoin('jobs', 'jobs.id', 'triggers.job_id')
    .selectAll('triggers')
    .where('triggers.overlap', '=', 'queue_all')
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
            .where('job_runs.status', 'in', ACTIVE_STATUSES),
        ),
      ),
    )
    .orderBy('triggers.id')
    .limit(limit)
    .execute();
}

export async function deleteTicksBefore(tx: Tx, triggerId: number, before: number): Promise<void> {
  await tx
    .deleteFrom('trigger_ticks')
    .where('trigger_id', '=', triggerId)
    .where('scheduled_for', '<', before)
    .where('outcome', '!=', 'waiting' satisfies TickOutcome)
    .execute();
}
