import type { Paging } from '../../http/paging.ts';
import type { StepResult } from '../../protocol/control-plane.ts';
import type { Db, Tx } from '../../store/store.ts';
import {
  joinTypes,
  LEASED_STATUSES,
  type NewRun,
  type RunProgress,
  type RunRow,
  type RunStatus,
} from './run.ts';
import { storableText } from './storable-text.ts';

/** Rows of one INSERT: below the engines' limits of bound values. */
const STEPS_PER_INSERT = 500;
const NAME_LENGTH_MAX = 200;
const STEP_ERROR_LENGTH_MAX = 16_384;

export async function selectRun(db: Db, id: number): Promise<RunRow | null> {
  return (await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export interface RunFilters {
  readonly status?: string | undefined;
  readonly task_id?: number | undefined;
  readonly job_id?: number | undefined;
  readonly job_run_id?: number | undefined;
}

/** Newest first; one row more than the page. */
export async function selectRuns(db: Db, filters: RunFilters, paging: Paging): Promise<RunRow[]> {
  let query = db
    .selectFrom('runs')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(paging.limit + 1);
  if (paging.after !== null) query = query.where('id', '<', paging.after);
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  if (filters.task_id !== undefined) query = query.where('task_id', '=', filters.task_id);
  if (filters.job_id !== undefined) query = query.where('job_id', '=', filters.job_id);
  if (filters.job_run_id !== undefined) query = query.where('job_run_id', '=', filters.job_run_id);
  return query.execute();
}

/** All runs of a job run, oldest first: at most one per DAG node and rerun. */
export async function selectRunsOfJobRun(db: Db, jobRunId: number): Promise<RunRow[]> {
  return db.selectFrom('runs').selectAll().where('job_run_id', '=', jobRunId).orderBy('id').execute();
}

/** The state of a job run's nodes, oldest first; nothing else of the runs, whose texts may be long. */
export async function selectNodeStates(db: Db, jobRunId: number) {
  return db
    .selectFrom('runs')
    .select(['id', 'task_key', 'status', 'reason'])
    .where('job_run_id', '=', jobRunId)
    .orderBy('id')
    .execute();
}

/** Puts a run in the queue, or, with `skipped`, straight to its end. */
export async function insertRun(
  tx: Tx,
  run: NewRun,
  now: number,
  status: 'queued' | 'skipped' = 'queued',
): Promise<RunRow> {
  const row = await tx
    .insertInto('runs')
    .values({
      task_id: run.task_id,
      task_name: run.task_name,
      task_version: run.task_version,
      yaml_content: run.yaml_content,
      job_run_id: run.job_run_id,
      job_id: run.job_id,
      task_key: run.task_key,
      status,
      reason: run.reason,
      priority: 0,
      attempt: 0,
      max_attempts: run.retry.maxAttempts,
      retry_json: JSON.stringify(run.retry),
      epoch: 0,
      acknowledged: 0,
      cancel_requested: 0,
      args_json: JSON.stringify(run.args),
      config_json: JSON.stringify(run.config),
      connectors_json: JSON.stringify(run.connectors),
      connector_types: joinTypes(run.connectorTypes),
      labels_json: JSON.stringify(run.labels),
      timeout_ms: run.timeout_ms,
      rows_in: 0,
      rows_out: 0,
      rows_failed: 0,
      rows_skipped: 0,
      rerun_of: run.rerun_of,
      scheduled_for: run.scheduled_for,
      created_at: now,
      available_at: now,
      ended_at: status === 'skipped' ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertHistory(tx, row.id, null, status, run.reason, 0, now);
  return row;
}

export async function insertHistory(
  tx: Tx,
  runId: number,
  from: RunStatus | null,
  to: RunStatus,
  reason: string,
  attempt: number,
  now: number,
): Promise<void> {
  await tx
    .insertInto('run_status_history')
    .values({ run_id: runId, at: now, from_status: from, to_status: to, reason, attempt })
    .execute();
}

export async function selectHistory(db: Db, runId: number) {
  return db
    .selectFrom('run_status_history')
    .select(['at', 'from_status', 'to_status', 'reason', 'attempt'])
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute();
}

/** The steps of the newest attempt that reported any. */
export async function selectSteps(db: Db, runId: number) {
  return db
    .selectFrom('run_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('attempt', '=', (eb) =>
      eb
        .selectFrom('run_steps')
        .select((inner) => inner.fn.max('attempt').as('attempt'))
        .where('run_id', '=', runId),
    )
    .orderBy('position')
    .execute();
}

/** How a run is asked to stop. */
export interface CancelMark {
  readonly force: boolean;
  readonly reason: 'user' | 'forced';
  /** Store's time at which the server ends it by itself. */
  readonly deadline: number;
}

/** A leased run, locked by the caller, is asked to stop; it is `cancelled` when it says so, or when the deadline has passed. */
export async function markCancelling(tx: Tx, run: RunRow, mark: CancelMark, now: number): Promise<void> {
  await tx
    .updateTable('runs')
    .set({
      status: 'cancelling',
      reason: mark.reason,
      cancel_requested: mark.force ? 2 : 1,
      cancel_deadline: mark.deadline,
    })
    .where('id', '=', run.id)
    .where('epoch', '=', run.epoch)
    .where('status', 'in', LEASED_STATUSES)
    .execute();
  if (run.status !== 'cancelling')
    await insertHistory(tx, run.id, 'running', 'cancelling', mark.reason, run.attempt, now);
}

/** Nobody is left to answer a cancel: its grace ends now. */
export async function expireCancel(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ cancel_deadline: now - 1 })
    .where('id', '=', id)
    .where('status', '=', 'cancelling')
    .execute();
}

export async function deleteRun(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('runs').where('id', '=', id).execute();
}

/** What decides about a lease; nothing else of the run, whose texts may be long. */
export async function selectLeaseState(db: Db, id: number) {
  const query = db
    .selectFrom('runs')
    .select(['status', 'epoch', 'attempt', 'lease_token'])
    .where('id', '=', id);
  return (await query.executeTakeFirst()) ?? null;
}

/** The latest figures of a running attempt. False, with nothing changed, where the run has moved on from `epoch`. */
export async function updateProgress(
  tx: Tx,
  id: number,
  epoch: number,
  progress: RunProgress,
): Promise<boolean> {
  const result = await tx
    .updateTable('runs')
    .set({
      progress_json: JSON.stringify(progress),
      rows_in: progress.rows_in,
      rows_out: progress.rows_out,
      rows_failed: progress.rows_failed,
    })
    .where('id', '=', id)
    .where('epoch', '=', epoch)
    .where('status', 'in', LEASED_STATUSES)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** The steps of an attempt that has been completed, in their order. */
export async function insertSteps(
  tx: Tx,
  runId: number,
  attempt: number,
  steps: readonly StepResult[],
): Promise<void> {
  const rows = steps.map((step, position) => ({
    ...step,
    step_id: storableText(step.step_id, NAME_LENGTH_MAX),
    kind: storableText(step.kind, NAME_LENGTH_MAX),
    error: storableText(step.error, STEP_ERROR_LENGTH_MAX),
    run_id: runId,
    attempt,
    position,
  }));
  for (let at = 0; at < rows.length; at += STEPS_PER_INSERT) {
    await tx
      .insertInto('run_steps')
      .values(rows.slice(at, at + STEPS_PER_INSERT))
      .execute();
  }
}
