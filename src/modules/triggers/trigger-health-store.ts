import { sql } from 'kysely';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { PausedReason, TriggerRow } from './trigger.ts';

/** The result of a scheduled job run, until it is counted. `ended_at`: by the store's clock. */
export interface TriggerResult {
  readonly trigger_id: number;
  readonly job_run_id: number;
  readonly status: string;
  readonly ended_at: number;
}

export async function insertTriggerResult(tx: Tx, result: TriggerResult): Promise<void> {
  await tx.insertInto('trigger_results').values(result).execute();
}

export async function hasTriggerResults(db: Db): Promise<boolean> {
  return (await db.selectFrom('trigger_results').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The oldest results, held until the transaction ends: each is counted by one control plane. */
export async function lockTriggerResults(tx: Tx, dialect: Dialect, limit: number) {
  return tx
    .selectFrom('trigger_results')
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .modifyEnd(dialect.forUpdate)
    .execute();
}

export async function deleteTriggerResults(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('trigger_results').where('id', 'in', ids).execute();
}

/** In the order of their ids, as the ticker locks them. */
export async function lockTriggers(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<TriggerRow[]> {
  return tx
    .selectFrom('triggers')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

export interface Streak {
  readonly id: number;
  readonly consecutive_failures: number;
  readonly last_success_at: number | null;
}

/** For locked triggers; their versions stay. */
export async function updateStreaks(tx: Tx, streaks: readonly Streak[]): Promise<void> {
  if (streaks.length === 0) return;
  const rows = streaks.map((streak) => {
    const values = [streak.id, streak.consecutive_failures, streak.last_success_at];
    return sql`(${sql.join(values)})`;
  });
  const column = (name: string) => sql`cast(${sql.ref(`counted.${name}`)} as bigint)`;
  await sql`
    with counted (id, failures, success_at) as (values ${sql.join(rows)})
    update triggers set
      consecutive_failures = ${column('failures')},
      last_success_at = ${column('success_at')}
    from counted where triggers.id = ${column('id')}`.execute(tx);
}

/** Disables a locked trigger, as a new version; `dropped` waiting times count as skipped. */
export async function updatePaused(
  tx: Tx,
  id: number,
  { reason, dropped, now }: { readonly reason: PausedReason; readonly dropped: number; readonly now: number },
): Promise<void> {
  await tx
    .updateTable('triggers')
    .set((eb) => ({
      enabled: 0,
      next_run_at: null,
      delay_ms: 0,
      paused_at: now,
      paused_reason: reason,
      skipped_count: eb('skipped_count', '+', dropped),
      version: eb('version', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', id)
    .execute();
}
