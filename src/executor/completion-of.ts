import type { Completion, Lease } from '../protocol/control-plane.ts';
import { cutText } from './log/cut-line.ts';
import type { RunnerDeath } from './runner/runner-child.ts';
import type { RunnerOutcome } from './runner/runner-messages.ts';

const MESSAGE_BYTES_MAX = 8 * 1024;
/** All step results together fit into one message. */
const STEP_ERROR_BYTES_MAX = 1024;

/** A completion that lacks only what is known when it is sent. */
export type RunResult = Omit<Completion, 'lease' | 'last_log_seq'>;

export function completionOf(lease: Lease, result: RunResult, lastLogSeq: number): Completion {
  return { ...result, lease, last_log_seq: lastLogSeq };
}

/** The engine's outcome in the contract's words. */
export function resultOf(outcome: RunnerOutcome): RunResult {
  const { failure } = outcome;
  return {
    status: outcome.status,
    reason: outcome.reason,
    failure:
      failure === null
        ? null
        : {
            code: failure.code,
            message: cutText(failure.message, MESSAGE_BYTES_MAX),
            step_id: failure.stepId,
          },
    rows_in: outcome.rowsIn,
    rows_out: outcome.rowsOut,
    rows_failed: outcome.rowsFailed,
    rows_skipped: outcome.rowsSkipped,
    steps: outcome.steps.map((step) => ({
      step_id: step.stepId,
      kind: step.kind,
      status: step.status,
      rows_in: step.rowsIn,
      rows_out: step.rowsOut,
      rows_failed: step.rowsFailed,
      rows_skipped: step.rowsSkipped,
      started_at: step.startedAt,
      ended_at: step.endedAt,
      attempts: step.attempts,
      error: cutText(step.error, STEP_ERROR_BYTES_MAX),
    })),
    retryable: outcome.retryable,
    outputs: null,
  };
}

/** A run that ended without an outcome of its own. */
export function failedResult(code: string, message: string, reason: string, retryable: boolean): RunResult {
  return {
    ...NOTHING_KNOWN,
    status: 'error',
    reason,
    failure: { code, message: cutText(message, MESSAGE_BYTES_MAX), step_id: '' },
    retryable,
  };
}

/** Cancelled before it began (`user`), or killed because it did not end when it was asked to (`forced`). */
export function cancelledResult(reason: 'user' | 'forced'): RunResult {
  return { ...NOTHING_KNOWN, status: 'cancelled', reason, failure: null, retryable: false };
}

/** What is known of a runner that died, for people. */
export function deathMessage(death: RunnerDeath, heapMbMax: number): string {
  const { code, signal, outOfMemory, hung } = death;
  if (outOfMemory) return `The process of the run ran out of memory (${heapMbMax} MB)`;
  if (hung) return 'The process of the run did not answer any more and was killed';
  if (signal === 'SIGKILL') return 'The process of the run was killed (SIGKILL), perhaps for lack of memory';
  if (signal !== null) return `The process of the run died (${signal})`;
  if (code !== null) return `The process of the run ended by itself (exit code ${code})`;
  return 'The process of the run could not be started';
}

const NOTHING_KNOWN = {
  rows_in: 0,
  rows_out: 0,
  rows_failed: 0,
  rows_skipped: 0,
  steps: [],
  outputs: null,
};
