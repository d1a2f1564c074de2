import type { Cancel } from '../../protocol/control-plane.ts';
import type { Tx } from '../../store/store.ts';
import type { RunRow } from './run.ts';
import { endRun, type OnRunFinished, TIMED_OUT } from './run-completion.ts';
import { type CancelMark, markCancelling } from './run-store.ts';

export const CANCEL_GRACE_DEFAULT_MS = 30_000;
export const CANCEL_GRACE_MAX_MS = 3_600_000;

export interface CancelRequest {
  readonly mode: 'graceful' | 'force';
  readonly graceMs: number;
  /** Who or what wants it, default `user`. `parts`: the run that it helps needs it no more. */
  readonly reason?: 'user' | 'overlap' | 'timeout' | 'parts';
}

/** A cancel for the executor that holds the run: sent after the commit, and repeated by every heartbeat's reply. */
export interface SentCancel {
  readonly executorId: number;
  readonly cancel: Cancel;
}

/** `run` is locked, with its job run, and active; `now` is the store's time. Null where no executor holds it: then it has ended. */
export async function cancelRunInside(
  tx: Tx,
  run: RunRow,
  request: CancelRequest,
  context: { readonly now: number; readonly onRunFinished: OnRunFinished },
): Promise<SentCancel | null> {
  const { now } = context;
  if (run.status === 'queued') {
    const reason = request.reason ?? 'user';
    const end = reason === 'timeout' ? TIMED_OUT : ({ status: 'cancelled', reason, error: null } as const);
    await endRun(tx, run, end, context);
    return null;
  }
  const mark = cancelMarkOf(run, request, now);
  await markCancelling(tx, run, mark, now);
  if (run.executor_id === null) return null;
  const cancel = {
    run_id: run.id,
    attempt: run.attempt,
    force: mark.force,
    grace_ms: mark.deadline - now,
  };
  return { executorId: run.executor_id, cancel };
}

/** Asking again never takes back what was asked: the earlier deadline is kept, and force stays force. */
function cancelMarkOf(run: RunRow, request: CancelRequest, now: number): CancelMark {
  const before = run.status === 'cancelling';
  const force = request.mode === 'force' || (before && run.cancel_requested === 2);
  const asked = now + (force ? 0 : Math.max(0, Math.round(request.graceMs)));
  const deadline = Math.max(now, before ? Math.min(run.cancel_deadline ?? asked, asked) : asked);
  return { force, reason: force ? 'forced' : (request.reason ?? 'user'), deadline };
}
