import type { Completion, CompletionStatus, Lease, Outcome } from '../../protocol/control-plane.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Tx } from '../../store/store.ts';
import {
  ACTIVE_STATUSES,
  type RetryRule,
  RUN_REASONS,
  type RunRow,
  type RunStatus,
  retryDelayMs,
} from './run.ts';
import { closeOpenAttempt, fenceInJobRun, markAcknowledged, requeueRun } from './run-lease-store.ts';
import { insertHistory, insertSteps, selectRun } from './run-store.ts';
import { storableText } from './storable-text.ts';

const CODE_LENGTH_MAX = 200;
const MESSAGE_LENGTH_MAX = 16_384;

/** How a run ends, whoever says so. */
export interface RunEnd {
  readonly status: Extract<RunStatus, 'success' | 'warning' | 'error' | 'cancelled' | 'skipped'>;
  readonly reason: string;
  readonly error: { readonly code: string; readonly message: string; readonly step: string | null } | null;
}

/** Tells the rooms above, in the same transaction, that a run has ended: the next level of the DAG starts, or the job run ends. */
export type OnRunFinished = (tx: Tx, run: RunRow) => Promise<void>;
/** Tells them that a run has begun. */
export type OnRunStarted = (tx: Tx, run: RunRow) => Promise<void>;

export interface CompletionContext {
  readonly dialect: Dialect;
  /** The store's time. */
  readonly now: number;
  /** In [0, 1): the jitter of a retry. */
  readonly random: number;
  readonly onRunStarted: OnRunStarted;
  readonly onRunFinished: OnRunFinished;
}

/**
 * Takes an executor's completion, exactly once: attempt, steps, run and whatever follows, in one transaction. A retryable error
 * with attempts left puts the run back in the queue. `ALREADY_DONE` for the same completion again.
 */
export async function completeRun(
  tx: Tx,
  completion: Completion,
  context: CompletionContext,
): Promise<Outcome> {
  const { lease } = completion;
  const { now } = context;
  const fenced = await fenceInJobRun(tx, context.dialect, lease);
  if (fenced.outcome !== 'ACCEPTED') return (await wasCompleted(tx, lease)) ? 'ALREADY_DONE' : fenced.outcome;
  const run = await begun(tx, fenced.run, context);
  await closeAttempt(tx, completion, now);
  const rule = JSON.parse(run.retry_json) as RetryRule;
  const again = completion.status === 'error' && completion.retryable && run.attempt < run.max_attempts;
  if (again && run.status === 'running') {
    await setError(tx, run, errorOf(completion));
    await requeueRun(tx, run, 'awaiting_retry', now + retryDelayMs(rule, run.attempt, context.random), now);
    return 'ACCEPTED';
  }
  await tx
    .updateTable('runs')
    .set({
      rows_in: completion.rows_in,
      rows_out: completion.rows_out,
      rows_failed: completion.rows_failed,
      rows_skipped: completion.rows_skipped,
      last_log_seq: completion.last_log_seq,
    })
    .where('id', '=', run.id)
    .execute();
  const end = { status: completion.status, reason: reasonOf(completion, run), error: errorOf(completion) };
  await endRun(tx, run, end, context);
  return 'ACCEPTED';
}

/** Ends an active run. Fenced by the epoch that was read: a run that has moved on since is left alone, and the answer is false. */
export async function endRun(
  tx: Tx,
  run: RunRow,
  end: RunEnd,
  context: { readonly now: number; readonly onRunFinished: OnRunFinished },
): Promise<boolean> {
  const result = await tx
    .updateTable('runs')
    .set({
      status: end.status,
      reason: end.reason,
      error_json: end.error === null ? null : JSON.stringify(end.error),
      ended_at: context.now,
      lease_expires_at: null,
      progress_json: null,
    })
    .where('id', '=', run.id)
    .where('epoch', '=', run.epoch)
    .where('status', '=', run.status)
    .where('status', 'in', ACTIVE_STATUSES)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await closeOpenAttempt(tx, run, end.status, context.now);
  await insertHistory(tx, run.id, run.status as RunStatus, end.status, end.reason, run.attempt, context.now);
  const ended = await selectRun(tx, run.id);
  if (ended !== null) await context.onRunFinished(tx, ended);
  return true;
}

/** Who completes a run has its assignment, though the acknowledgement may have been lost. */
async function begun(tx: Tx, run: RunRow, { now, onRunStarted }: CompletionContext): Promise<RunRow> {
  if (run.acknowledged === 1) return run;
  await markAcknowledged(tx, run, run.lease_expires_at ?? now, now);
  await onRunStarted(tx, run);
  return { ...run, acknowledged: 1 };
}

/** Only a completion says how long the log is; attempts that others ended have no `last_log_seq`. */
async function wasCompleted(tx: Tx, lease: Lease): Promise<boolean> {
  const attempt = await tx
    .selectFrom('run_attempts')
    .select(['attempt', 'last_log_seq'])
    .where('run_id', '=', lease.run_id)
    .where('epoch', '=', lease.epoch)
    .where('lease_token', '=', lease.token)
    .executeTakeFirst();
  return attempt !== undefined && attempt.attempt === lease.attempt && attempt.last_log_seq !== null;
}

async function closeAttempt(tx: Tx, completion: Completion, now: number): Promise<void> {
  const { run_id, attempt } = completion.lease;
  await tx
    .updateTable('run_attempts')
    .set({ ended_at: now, outcome: completion.status, last_log_seq: completion.last_log_seq })
    .where('run_id', '=', run_id)
    .where('attempt', '=', attempt)
    .execute();
  await insertSteps(tx, run_id, attempt, completion.steps);
}

async function setError(tx: Tx, run: RunRow, error: RunEnd['error']): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ error_json: error === null ? null : JSON.stringify(error) })
    .where('id', '=', run.id)
    .execute();
}

/** The executor's word where this server knows it. A cancel that was forced stays one, whatever the runner calls it. */
function reasonOf(completion: Completion, run: RunRow): string {
  if (run.status === 'cancelling' && completion.status === 'cancelled') return run.reason;
  const known = (RUN_REASONS as readonly string[]).includes(completion.reason);
  return known ? completion.reason : (REASON_OF[completion.status] ?? run.reason);
}

/** Success and warning keep the reason for which the run was started. */
const REASON_OF: Partial<Record<CompletionStatus, string>> = {
  error: 'task_error',
  skipped: 'condition_false',
};

function errorOf({ failure }: Completion): RunEnd['error'] {
  if (failure === null) return null;
  return {
    code: storableText(failure.code, CODE_LENGTH_MAX),
    message: storableText(failure.message, MESSAGE_LENGTH_MAX),
    step: failure.step_id === '' ? null : storableText(failure.step_id, CODE_LENGTH_MAX),
  };
}
