import { sql } from 'kysely';
import type { Lease, Outcome } from '../../../protocol/control-plane.ts';
import type { Dialect } from '../../../store/dialect.ts';
import type { Db, Tx } from '../../../store/store.ts';
import { IS_LEASED, LEASED_STATUSES, type RunReason, type RunRow, SUSPECT_LOSSES } from '../run.ts';
import { runRows } from '../run-rows.ts';
import { insertHistory } from '../run-store.ts';
import { suspectKind } from './run-kind.ts';

/** The run, locked until the transaction ends; null where there is none. */
export async function lockRun(tx: Tx, dialect: Dialect, id: number): Promise<RunRow | null> {
  const query = runRows(tx).where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

/**
 * As `lockRun`, with the run's job run locked before it. Whatever may move a job run on locks in this order (job run, then
 * runs by id), so that ends, starts and cancels never wait for each other in a circle.
 */
export async function lockRunInJobRun(tx: Tx, dialect: Dialect, id: number): Promise<RunRow | null> {
  const found = await tx.selectFrom('runs').select('job_run_id').where('id', '=', id).executeTakeFirst();
  const jobRunId = found?.job_run_id ?? null;
  if (jobRunId !== null) {
    const query = tx.selectFrom('job_runs').select('id').where('id', '=', jobRunId);
    await query.modifyEnd(dialect.forUpdate).execute();
  }
  return found === undefined ? null : lockRun(tx, dialect, id);
}

/** What a lease is judged by. */
export type LeaseState = Pick<RunRow, 'status' | 'epoch' | 'attempt' | 'lease_token'>;

/** Whether `lease` is the newest of a run that has not ended. */
function isNewest(run: LeaseState, lease: Lease): boolean {
  return run.epoch === lease.epoch && run.attempt === lease.attempt && run.lease_token === lease.token;
}

/** Whether `lease` was the last one of a run that has ended. */
export async function isLastLease(db: Db, run: RunRow, lease: Lease): Promise<boolean> {
  if (run.epoch !== lease.epoch || run.attempt !== lease.attempt) return false;
  const query = db
    .selectFrom('run_attempts')
    .select('lease_token')
    .where('run_id', '=', run.id)
    .where('attempt', '=', lease.attempt);
  return (await query.executeTakeFirst())?.lease_token === lease.token;
}

/** Whether `lease` is the run's newest and the run is still going. */
export function judgeLease(run: LeaseState | null, lease: Lease): Outcome {
  if (run === null) return 'RUN_ABSENT';
  const leased = (LEASED_STATUSES as readonly string[]).includes(run.status);
  return isNewest(run, lease) && leased ? 'ACCEPTED' : 'STALE_LEASE';
}

export type FencedRun =
  | { readonly outcome: 'ACCEPTED'; readonly run: RunRow }
  | { readonly outcome: Exclude<Outcome, 'ACCEPTED'> };

/** The run under its lease, locked, for writes in the same transaction: none of them comes after a newer lease. */
export async function fence(tx: Tx, dialect: Dialect, lease: Lease): Promise<FencedRun> {
  return fenced(await lockRun(tx, dialect, lease.run_id), lease);
}

function fenced(run: RunRow | null, lease: Lease): FencedRun {
  const outcome = judgeLease(run, lease);
  if (outcome === 'ACCEPTED' && run !== null) return { outcome, run };
  return { outcome: outcome === 'ACCEPTED' ? 'RUN_ABSENT' : outcome };
}

/** Which leased runs have had their time. `graceMs` null: lapsed leases are left alone. */
export interface LapseRule {
  readonly now: number;
  readonly graceMs: number | null;
}

/** The expiry of a lease whose holder is known to be dead: it lapses at the next sweep, without ttl and grace. */
const GIVEN_BACK = 0;

/** Gives back all that an executor holds, because it is known to be dead. */
export async function giveBackLeases(tx: Tx, executorId: number): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ lease_expires_at: GIVEN_BACK })
    .where('executor_id', '=', executorId)
    .where(IS_LEASED)
    .execute();
}

/** Leased runs whose time is up: unacknowledged assignments, lapsed leases, cancels past their grace. Oldest first. */
export async function selectLapsedIds(db: Db, { now, graceMs }: LapseRule, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where(IS_LEASED)
    .where((eb) =>
      eb.or([
        eb.and([eb('acknowledged', '=', 0), eb('lease_expires_at', '<', now)]),
        eb('lease_expires_at', '=', GIVEN_BACK),
        ...(graceMs === null ? [] : [eb('lease_expires_at', '<', now - graceMs)]),
        eb.and([eb('status', '=', 'cancelling'), eb('cancel_deadline', '<', now)]),
      ]),
    )
    // Not by the index of ids: SQLite would walk all runs in that order.
    .orderBy(sql`id + 0`)
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Runs that have waited too long for an executor, or have not ended by their deadline. Oldest first. */
export async function selectOverdueRunIds(db: Db, now: number, limit: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from runs where status = 'queued' and queue_expires_at is not null and queue_expires_at < ${now}
    union
    select id from runs where status in ('queued', 'running', 'cancelling') and status <> 'cancelling'
      and deadline_at is not null and deadline_at < ${now}
    order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** Why a locked run's time is up, by the same rule; null where it is not, since it was renewed or has ended meanwhile. */
export function lapseOf(run: RunRow, { now, graceMs }: LapseRule): 'cancel' | 'assignment' | 'lease' | null {
  const cancelling = run.status === 'cancelling';
  if (!cancelling && run.status !== 'running') return null;
  if (cancelling && (run.cancel_deadline ?? 0) < now) return 'cancel';
  const expires = run.lease_expires_at ?? 0;
  const unheard = run.acknowledged === 0 && expires < now;
  if (unheard) return cancelling ? 'cancel' : 'assignment';
  const givenBack = expires === GIVEN_BACK;
  if (!givenBack && (graceMs === null || expires >= now - graceMs)) return null;
  return cancelling ? 'cancel' : 'lease';
}

/** How a running run goes back to the queue. */
export interface Requeue {
  readonly reason: RunReason;
  readonly availableAt: number;
  /** Its executor was lost, and it counts. */
  readonly loss: boolean;
}

/**
 * A running run goes back to the queue with a new epoch, so that whoever held the lease finds it stale. Not acknowledged, the
 * attempt never was. False, with nothing changed, where the run has moved on.
 */
export async function requeueRun(tx: Tx, run: RunRow, requeue: Requeue, now: number): Promise<boolean> {
  const { reason, availableAt, loss } = requeue;
  const counts = run.acknowledged === 1;
  const losses = run.losses + (loss ? 1 : 0);
  const expires = run.queue_expires_at;
  const result = await tx
    .updateTable('runs')
    .set({
      status: 'queued',
      reason: counts ? reason : run.reason,
      attempt: counts ? run.attempt : run.attempt - 1,
      epoch: run.epoch + 1,
      lease_token: null,
      lease_expires_at: null,
      executor_id: null,
      acknowledged: 0,
      progress_json: null,
      available_at: availableAt,
      queue_expires_at: expires === null ? null : expires + availableAt - run.available_at,
      losses,
      kind: losses >= SUSPECT_LOSSES ? suspectKind(run.kind) : run.kind,
    })
    .where('id', '=', run.id)
    .where('epoch', '=', run.epoch)
    .where('status', '=', 'running')
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  if (counts) await closeOpenAttempt(tx, run, 'lost', now);
  else {
    await tx
      .deleteFrom('run_attempts')
      .where('run_id', '=', run.id)
      .where('attempt', '=', run.attempt)
      .execute();
  }
  await insertHistory(tx, run.id, 'running', 'queued', reason, run.attempt, now);
  return true;
}

/** Ends an attempt whose executor did not complete it. Its `last_log_seq` stays null: nobody knows how long its log is. */
export async function closeOpenAttempt(tx: Tx, run: RunRow, outcome: string, now: number): Promise<void> {
  await tx
    .updateTable('run_attempts')
    .set({ ended_at: now, outcome })
    .where('run_id', '=', run.id)
    .where('attempt', '=', run.attempt)
    .where('ended_at', 'is', null)
    .execute();
}
