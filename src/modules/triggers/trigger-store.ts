import { type ExpressionBuilder, sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { filtered, onPage } from '../../store/lists/keyset.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import { markDeleted } from '../deletions/deletion-store.ts';
import { IS_ACTIVE } from '../runs/run.ts';
import type { TriggerRow, TriggerSettings, TriggerState, TriggerView } from './trigger.ts';

const triggers = recordStatements('triggers');
/** A trigger is locked before its job, as the ticker does. */
export const { select: selectTrigger, lock: lockTrigger } = triggers;

/** With its backfills. The times of those, and its ticks, follow in the background. */
export async function deleteTrigger(tx: Tx, id: number, now: number): Promise<void> {
  const backfills = await tx.selectFrom('backfills').select('id').where('trigger_id', '=', id).execute();
  const ids = backfills.map((row) => row.id);
  await markDeleted(tx, 'backfill', ids, now);
  await markDeleted(tx, 'trigger', [id], now);
  await triggers.remove(tx, id);
}

export async function selectTriggerView(db: Db, id: number): Promise<TriggerView | null> {
  const query = db.selectFrom('triggers').selectAll().select(lastStatus).where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

function lastStatus(eb: ExpressionBuilder<Schema, 'triggers'>) {
  return eb
    .selectFrom('job_runs')
    .select('job_runs.status')
    .whereRef('job_runs.id', '=', 'triggers.last_run_id')
    .as('last_status');
}

export interface TriggerFilters {
  readonly job_id?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly state?: TriggerState | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectTriggers(
  db: Db,
  { job_id, enabled, state }: TriggerFilters,
  paging: Paging,
): Promise<TriggerView[]> {
  let query = db.selectFrom('triggers').selectAll().select(lastStatus);
  if (state !== undefined)
    query = query.where('enabled', '=', Number(state === 'active' || state === 'ended'));
  if (state === 'active') query = query.where('next_run_at', 'is not', null);
  if (state === 'ended') query = query.where('next_run_at', 'is', null);
  if (state === 'paused') query = query.where('paused_reason', 'is not', null);
  if (state === 'disabled') query = query.where('paused_reason', 'is', null);
  return onPage(filtered(query, { job_id, enabled }), paging).execute();
}

export function insertTrigger(
  tx: Tx,
  jobId: number,
  settings: TriggerSettings,
  nextRunAt: number | null,
  now: number,
): Promise<TriggerRow> {
  return triggers.insert(tx, {
    ...settings,
    job_id: jobId,
    enabled: Number(settings.enabled),
    next_run_at: nextRunAt,
    missed_count: 0,
    skipped_count: 0,
    version: 1,
    created_at: now,
    updated_at: now,
  });
}

/** The delay of its next run, which depends on the trigger's id. */
export async function updateDelay(tx: Tx, id: number, delayMs: number): Promise<void> {
  await tx.updateTable('triggers').set({ delay_ms: delayMs }).where('id', '=', id).execute();
}

export interface TriggerChange {
  readonly settings: TriggerSettings;
  readonly next_run_at: number | null;
  readonly delay_ms: number;
  /** Dropped waiting times: they count as skipped. */
  readonly dropped: number;
  /** When it was enabled again, by the store's clock, else null. Its failures count from then on. */
  readonly enabledAt: number | null;
}

/** A new version. */
export async function updateTrigger(
  tx: Tx,
  before: TriggerRow,
  { settings, next_run_at, delay_ms, dropped, enabledAt }: TriggerChange,
  now: number,
): Promise<void> {
  const fresh = {
    consecutive_failures: 0,
    streak_since: enabledAt ?? 0,
    paused_at: null,
    paused_reason: null,
  };
  await tx
    .updateTable('triggers')
    .set((eb) => ({
      ...settings,
      ...(enabledAt === null ? {} : fresh),
      enabled: Number(settings.enabled),
      next_run_at,
      delay_ms,
      skipped_count: eb('skipped_count', '+', dropped),
      version: before.version + 1,
      updated_at: now,
    }))
    .where('id', '=', before.id)
    .execute();
}

/** Due triggers in the order of their ids, after the id `after`. */
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
    .where(sql<number>`next_run_at + delay_ms`, '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/**
 * Locks the triggers that are unchanged since they were read; returns their ids. Another control plane has or had the others,
 * or they were changed: the next pass reads them again.
 */
export async function lockUnchangedTriggers(
  tx: Tx,
  dialect: Dialect,
  rows: readonly TriggerRow[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set();
  const found = await tx
    .selectFrom('triggers')
    .select(['id', 'version', 'next_run_at'])
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .where('enabled', '=', 1)
    .orderBy('id')
    .modifyEnd(dialect.skipLocked)
    .execute();
  const byId = new Map(found.map((row) => [row.id, row]));
  const unchanged = rows.filter((row) => {
    const now = byId.get(row.id);
    return now?.version === row.version && now.next_run_at === row.next_run_at;
  });
  return new Set(unchanged.map((row) => row.id));
}

/** The job run that a trigger has started, and when. */
export interface Fired {
  readonly job_run_id: number;
  readonly at: number;
}

export interface TriggerAdvance {
  readonly next_run_at: number | null;
  readonly delay_ms: number;
  readonly missed: number;
  readonly skipped: number;
  /** null where nothing was started. */
  readonly fired: Fired | null;
}

/** Advances locked triggers from their times; their versions stay. */
export async function advanceTriggers(
  tx: Tx,
  moves: readonly { readonly id: number; readonly advance: TriggerAdvance }[],
): Promise<void> {
  if (moves.length === 0) return;
  const rows = moves.map(({ id, advance: { next_run_at, delay_ms, missed, skipped, fired } }) => {
    const values = [id, next_run_at, delay_ms, missed, skipped, fired?.at ?? null, fired?.job_run_id ?? null];
    return sql`(${sql.join(values)})`;
  });
  const column = (name: string) => sql`cast(${sql.ref(`moved.${name}`)} as bigint)`;
  await sql`
    with moved (id, next_at, delay_ms, missed, skipped, fired_at, run_id) as (values ${sql.join(rows)})
    update triggers set
      next_run_at = ${column('next_at')},
      delay_ms = ${column('delay_ms')},
      missed_count = missed_count + ${column('missed')},
      skipped_count = skipped_count + ${column('skipped')},
      last_fired_at = coalesce(${column('fired_at')}, last_fired_at),
      last_run_id = coalesce(${column('run_id')}, last_run_id)
    from moved where triggers.id = ${column('id')}`.execute(tx);
}

/** A start that does not change the trigger's next time. */
export async function recordFired(tx: Tx, id: number, fired: Fired): Promise<void> {
  await tx
    .updateTable('triggers')
    .set({ last_fired_at: fired.at, last_run_id: fired.job_run_id })
    .where('id', '=', id)
    .execute();
}

/** An unfinished run of the job; null if it is idle. */
export async function selectActiveJobRunId(db: Db, jobId: number): Promise<number | null> {
  const row = await db
    .selectFrom('job_runs')
    .select('id')
    .where('job_id', '=', jobId)
    .where(IS_ACTIVE)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}
