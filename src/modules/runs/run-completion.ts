import type { RunEndStatus, StepResult } from '../../base/run-report.ts';
import type { Completion } from '../../protocol/control-plane.ts';
import { storableText } from '../../store/storable-text.ts';
import type { Tx } from '../../store/store.ts';
import { closeOpenAttempt } from './queue/run-lease-store.ts';
import { ACTIVE_STATUSES, RUN_REASONS, type RunRow, type RunStatus } from './run.ts';
import { insertHistory } from './run-store.ts';

const CODE_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 200;
const MESSAGE_LENGTH_MAX = 16_384;

/** How a run ends, whoever says so. */
export interface RunEnd {
  readonly status: RunEndStatus;
  readonly reason: string;
  readonly error: { readonly code: string; readonly message: string; readonly step: string | null } | null;
}

/**
 * Tells the rooms above, in the same transaction, that a run has ended: the next level of the DAG starts, or the job run ends; the
 * letters of a replay and of several attempts are settled. The run's job run is locked; what else is known of the run is in its row.
 */
export type OnRunFinished = (
  tx: Tx,
  run: Pick<RunRow, 'id' | 'attempt' | 'job_run_id' | 'replay_step' | 'helpers' | 'helps_run_id'>,
) => Promise<void>;
/** Tells them that the first run of a job run has begun. */
export type OnRunStarted = (tx: Tx, run: Pick<RunRow, 'id' | 'job_run_id'>) => Promise<void>;

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
      kind: '',
      lease_token: null,
      lease_expires_at: null,
      progress_json: null,
      waiting: null,
    })
    .where('id', '=', run.id)
    .where('epoch', '=', run.epoch)
    .where('status', '=', run.status)
    .where('status', 'in', ACTIVE_STATUSES)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await closeOpenAttempt(tx, run, end.status, context.now);
  await insertHistory(tx, run.id, run.status as RunStatus, end.status, end.reason, run.attempt, context.now);
  await context.onRunFinished(tx, run);
  return true;
}

/** How a completion ends its run. A cancel for time is an error, whatever the runner calls it. */
export function endOf(completion: Completion, run: Pick<RunRow, 'status' | 'reason'>): RunEnd {
  const { status } = completion;
  if (run.status === 'cancelling' && status === 'cancelled' && run.reason === 'timeout') return TIMED_OUT;
  return { status, reason: reasonOf(completion, run), error: failureOf(completion) };
}

/** The end of a run whose time is up, whoever says so. */
export const TIMED_OUT: RunEnd = Object.freeze({
  status: 'error',
  reason: 'timeout',
  error: { code: 'TIMEOUT', message: 'It did not finish before its deadline and was stopped', step: null },
});

/** The executor's word where this server knows it. A cancel that was forced stays one, whatever the runner calls it. */
function reasonOf(completion: Completion, run: Pick<RunRow, 'status' | 'reason'>): string {
  if (run.status === 'cancelling' && completion.status === 'cancelled') return run.reason;
  const known = (RUN_REASONS as readonly string[]).includes(completion.reason);
  return known ? completion.reason : (REASON_OF[completion.status] ?? run.reason);
}

/** Success and warning keep the reason for which the run was started. */
const REASON_OF: Partial<Record<RunEndStatus, string>> = {
  error: 'task_error',
  skipped: 'condition_false',
};

export function failureOf({ failure }: Completion): RunEnd['error'] {
  if (failure === null) return null;
  return {
    code: storableText(failure.code, CODE_LENGTH_MAX),
    message: storableText(failure.message, MESSAGE_LENGTH_MAX),
    step: failure.step_id === '' ? null : storableText(failure.step_id, CODE_LENGTH_MAX),
  };
}

/** A step as both stores take it. */
export function stepRowOf({ cursor, schema_changes, losses, verification, ...step }: StepResult) {
  return {
    ...step,
    cursor_json: cursor === null ? null : JSON.stringify(cursor),
    schema_changes_json: schema_changes.length === 0 ? null : JSON.stringify(schema_changes),
    losses_json: losses === undefined ? null : JSON.stringify(losses),
    verification_json: verification === undefined ? null : JSON.stringify(verification),
    step_id: storableText(step.step_id, NAME_LENGTH_MAX),
    kind: storableText(step.kind, NAME_LENGTH_MAX),
    error: storableText(step.error, MESSAGE_LENGTH_MAX),
  };
}
