import { sql } from 'kysely';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import { contentOf, saveTexts } from '../run-texts/run-text-store.ts';
import { IS_ACTIVE } from '../runs/run.ts';
import type { JobRunPlan, JobRunRow, JobRunStatus, ReusedNodes } from './job-run.ts';

/** Below the engines' limits of bound values. */
const JOB_RUNS_PER_INSERT = 200;

export interface NewJobRun {
  readonly job_id: number;
  readonly trigger_id: number | null;
  readonly scheduled_for: number | null;
  readonly interval_start: number | null;
  readonly backfill_id: number | null;
  readonly rerun_of: number | null;
  readonly reason: string;
  readonly priority: number;
  readonly args: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly plan: JobRunPlan;
  readonly reused: ReusedNodes;
  readonly concurrency_key: string | null;
  readonly created_by: string;
  /** `waiting` for a slot; `skipped`: recorded as cancelled, since there was none. */
  readonly outcome: 'started' | 'waiting' | 'skipped';
}

/** Many at once; their rows in the same order. */
export async function insertJobRuns(tx: Tx, runs: readonly NewJobRun[], now: number): Promise<JobRunRow[]> {
  const rows: JobRunRow[] = [];
  for (let at = 0; at < runs.length; at += JOB_RUNS_PER_INSERT) {
    const part = runs.slice(at, at + JOB_RUNS_PER_INSERT).map((run) => valuesOf(run, now));
    const idOf = await saveTexts(
      tx,
      part.flatMap((row) => [row.parsed_json, row.config_json]),
      now,
    );
    const values = part.map((row) => ({
      ...row,
      plan_id: idOf(row.parsed_json),
      config_id: idOf(row.config_json),
    }));
    const bare = values.map((row) => ({ ...row, parsed_json: '', config_json: '' }));
    const ids = await tx.insertInto('job_runs').values(bare).returning('id').execute();
    // Ids ascend in the order of the values; engines do not promise that of the rows that they return.
    ids.sort((a, b) => a.id - b.id);
    rows.push(...values.map((row, index) => ({ ...row, id: ids[index]?.id ?? 0 })));
  }
  return rows;
}

function valuesOf(run: NewJobRun, now: number) {
  const { args, config, plan, reused, outcome, ...rest } = run;
  // Each rerun has its own.
  const { previous, ...common } = plan;
  const skipped = outcome === 'skipped';
  const deadlineMs = plan.deadlineMs ?? null;
  const sla_at = skipped ? null : slaEnd(run, now);
  return {
    ...rest,
    status: skipped ? 'cancelled' : 'queued',
    reason: outcome === 'started' ? run.reason : skipped ? 'overlap' : 'awaiting_slot',
    held_reason: outcome === 'waiting' ? run.reason : null,
    args_json: JSON.stringify(args),
    config_json: JSON.stringify(config),
    parsed_json: JSON.stringify(common),
    previous_json: previous === undefined ? null : JSON.stringify(previous),
    reused_json: JSON.stringify(reused),
    deadline_at: deadlineMs === null || skipped ? null : now + deadlineMs,
    sla_at,
    sla_open: sla_at === null ? 0 : 1,
    late_at: null,
    created_at: now,
    started_at: null,
    ended_at: skipped ? now : null,
    failed_run_id: null,
  };
}

/** The times of backfills and reruns are long past: theirs counts from now. */
function slaEnd({ plan, scheduled_for, backfill_id, rerun_of }: NewJobRun, now: number): number | null {
  const slaMs = plan.slaMs ?? null;
  if (slaMs === null) return null;
  const isScheduled = backfill_id === null && rerun_of === null;
  return ((isScheduled ? scheduled_for : null) ?? now) + slaMs;
}

/** As `runRows`. */
export function jobRunRows(db: Db) {
  const texts = [
    contentOf('job_runs.plan_id', 'job_runs.parsed_json').as('parsed_json'),
    contentOf('job_runs.config_id', 'job_runs.config_json').as('config_json'),
  ] as const;
  return db.selectFrom('job_runs').selectAll('job_runs').select(texts);
}

export async function selectJobRun(db: Db, id: number): Promise<JobRunRow | null> {
  const query = jobRunRows(db).where('id', '=', id);
  return (await query.where(notOfDeletedJob('job_runs.job_id')).executeTakeFirst()) ?? null;
}

/** A job run's status and nothing else, since its plan may be long. */
export async function selectJobRunState(db: Db, id: number) {
  const query = db.selectFrom('job_runs').select(['status', 'reason']).where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

export async function selectIntervalStart(db: Db, id: number): Promise<number | null> {
  const query = db.selectFrom('job_runs').select('interval_start').where('id', '=', id);
  return (await query.executeTakeFirst())?.interval_start ?? null;
}

/** Locks the job run: of two nodes that end at once, the second sees what the first has done. */
export async function lockJobRun(tx: Tx, dialect: Dialect, id: number): Promise<JobRunRow | null> {
  const query = jobRunRows(tx).where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

/** Waits for a slot; word for word as in its index. */
const IS_HELD = sql<boolean>`status = 'queued' and held_reason is not null`;

export async function selectActiveJobRuns(db: Db, jobId: number): Promise<JobRunRow[]> {
  return jobRunRows(db).where('job_id', '=', jobId).where(IS_ACTIVE).orderBy('id').execute();
}

/** Job runs that count against the limit of a key, or wait for a slot of it (`held_reason`), oldest first. */
export async function selectActiveOfKey(db: Db, key: string) {
  return db
    .selectFrom('job_runs')
    .select(['id', 'status', 'held_reason', 'backfill_id'])
    .where('concurrency_key', '=', key)
    .where(IS_ACTIVE)
    .orderBy('id')
    .execute();
}

/** Jobs of which a run waits for a slot. */
export async function selectJobsWithWaiting(db: Db, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('job_runs')
    .select('job_id')
    .distinct()
    .where(IS_HELD)
    .limit(limit)
    .execute();
  return rows.map((row) => row.job_id);
}

/** What waits of a job, oldest first. */
export async function selectWaitingOfJob(db: Db, jobId: number, limit: number) {
  return db
    .selectFrom('job_runs')
    .select(['id', 'concurrency_key'])
    .where('job_id', '=', jobId)
    .where(IS_HELD)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** It has got its slot: its reason is again what it starts for. */
export async function markSlotTaken(tx: Tx, row: JobRunRow): Promise<void> {
  await tx
    .updateTable('job_runs')
    .set({ reason: row.held_reason ?? row.reason, held_reason: null })
    .where('id', '=', row.id)
    .execute();
}

/** Active job runs past their deadline, except those being cancelled already. */
export async function selectOverdueIds(db: Db, now: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('job_runs')
    .select('id')
    .where('deadline_at', '<=', now)
    .where(IS_ACTIVE)
    .where('status', '<>', 'cancelling')
    // Not by the index of ids: SQLite would walk all job runs in that order.
    .orderBy(sql`id + 0`)
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Locks the job: starts of one job decide one after another. */
export async function lockJobOf(tx: Tx, dialect: Dialect, jobId: number): Promise<void> {
  await tx.selectFrom('jobs').select('id').where('id', '=', jobId).modifyEnd(dialect.forUpdate).execute();
}

/** The first task of the job run has started. */
export async function markJobRunStarted(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('job_runs')
    .set({ status: 'running', started_at: now })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute();
}

export async function markJobRunCancelling(tx: Tx, id: number, reason: string): Promise<void> {
  await tx
    .updateTable('job_runs')
    .set({ status: 'cancelling', reason })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

/** Its task runs that failed, in the order in which they did. */
export async function selectFailures(tx: Tx, id: number) {
  return tx
    .selectFrom('runs')
    .select(['id', 'task_key'])
    .where('job_run_id', '=', id)
    .where('status', '=', 'error')
    .orderBy('ended_at')
    .orderBy('id')
    .execute();
}

/** `failedRunId`: of the task that decided the outcome. */
export async function endJobRun(
  tx: Tx,
  id: number,
  { status, failedRunId }: { readonly status: JobRunStatus; readonly failedRunId: number | null },
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('job_runs')
    .set((eb) => ({
      status,
      failed_run_id: failedRunId,
      ended_at: now,
      held_reason: null,
      // One that failed may yet be late: a rerun has until then.
      sla_open: status === 'cancelled' ? 0 : status === 'error' ? eb.ref('sla_open') : openIfLate(now),
      started_at: eb.fn.coalesce('started_at', eb.val(now)),
    }))
    .where('id', '=', id)
    .where(IS_ACTIVE)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function openIfLate(now: number) {
  return sql<number>`case when sla_open = 1 and sla_at < ${now} then 1 else 0 end`;
}

export async function deleteJobRuns(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('job_runs').where('id', 'in', ids).execute();
}
