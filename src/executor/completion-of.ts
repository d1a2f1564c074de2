import { CONNECTOR_USES_MAX, type ConnectorUse } from '../base/connectors/connector-use.ts';
import { NOTHING_DONE, type RunOutcome } from '../base/run-report.ts';
import type { Completion, Lease } from '../protocol/control-plane.ts';
import type { ExecutorProcessLimits } from './executor-limits.ts';
import { cutText } from './log/log-line.ts';
import type { RunnerDeath } from './runner/runner-child.ts';

const MESSAGE_BYTES_MAX = 8 * 1024;
/** All step results together fit into one message. */
const STEP_ERROR_BYTES_MAX = 1024;

/** A completion that lacks only what is known when it is sent. */
export type RunResult = Omit<Completion, 'lease' | 'last_log_seq'>;

export function completionOf(lease: Lease, result: RunResult, lastLogSeq: number): Completion {
  return { ...result, lease, last_log_seq: lastLogSeq };
}

/** The engine's outcome, with texts that fit into one message. */
export function resultOf(outcome: RunOutcome): RunResult {
  const { failure, steps, connectors } = outcome;
  return {
    ...outcome,
    failure: failure && { ...failure, message: cutText(failure.message, MESSAGE_BYTES_MAX) },
    steps: steps.map((step) => ({ ...step, error: cutText(step.error, STEP_ERROR_BYTES_MAX) })),
    ...(connectors !== undefined && { connectors: connectors.slice(0, CONNECTOR_USES_MAX).map(shortUse) }),
  };
}

function shortUse(use: ConnectorUse): ConnectorUse {
  const { last_error } = use;
  if (last_error === null) return use;
  return {
    ...use,
    last_error: { ...last_error, message: cutText(last_error.message, STEP_ERROR_BYTES_MAX) },
  };
}

/** A run that ended without an outcome of its own. */
export function failedResult(code: string, message: string, reason: string, retryable: boolean): RunResult {
  return {
    ...NOTHING_DONE,
    status: 'error',
    reason,
    failure: { code, message: cutText(message, MESSAGE_BYTES_MAX), step_id: '' },
    retryable,
  };
}

/** Cancelled before it began (`user`), or killed because it did not end when it was asked to (`forced`). */
export function cancelledResult(reason: 'user' | 'forced'): RunResult {
  return { ...NOTHING_DONE, status: 'cancelled', reason };
}

/** What is known of a runner that died, for people. */
export function deathMessage(
  death: RunnerDeath,
  limits: Pick<ExecutorProcessLimits, 'runnerHeapMbMax' | 'runnerProcessMbMax'>,
): string {
  const { code, signal, outOfMemory, overMemory, hung } = death;
  if (overMemory)
    return `The process of the run used more than ${limits.runnerProcessMbMax} MB of memory and was killed`;
  if (outOfMemory) return `The process of the run ran out of memory (${limits.runnerHeapMbMax} MB)`;
  if (hung) return 'The process of the run stopped responding and was killed';
  if (signal === 'SIGKILL')
    return 'The process of the run was killed (SIGKILL), possibly because it ran out of memory';
  if (signal !== null) return `The process of the run died (${signal})`;
  if (code !== null) return `The process of the run exited by itself (exit code ${code})`;
  return 'The process of the run could not be started';
}
