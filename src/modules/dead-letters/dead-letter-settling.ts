import type { Tx } from '../../store/store.ts';
import type { RunRow } from '../runs/run.ts';
import type { OnRunFinished } from '../runs/run-completion.ts';
import {
  discardOwnLetters,
  endReplaying,
  selectLastLetterAttempt,
  selectRowSteps,
} from './dead-letter-replay-store.ts';

/**
 * `OnRunFinished` of replays, however they end: in the same transaction the letters are `replayed` where every step that got
 * rows of them has ended well, so that their rows are in the loads' targets or are letters of the run themselves. Else they are
 * open again, and what the run left of its own is discarded: it tells of the same rows.
 */
export async function settleReplay(tx: Tx, run: Pick<RunRow, 'id' | 'replay_step'>): Promise<void> {
  if (run.replay_step === null) return;
  const steps = await selectRowSteps(tx, run.id);
  const wentWell = steps.some(({ status }) => status === 'success' || status === 'warning');
  const failed = steps.some(({ status }) => status === 'error' || status === 'cancelled');
  if (!wentWell || failed) {
    await endReplaying(tx, run.id, 'open');
    await discardOwnLetters(tx, run.id, null);
    return;
  }
  await endReplaying(tx, run.id, 'replayed');
  const replayed = steps.find(({ step_id }) => step_id === run.replay_step);
  // An attempt that read nothing found the load of an earlier one committed: the letters of that one count.
  const readAgain = (replayed?.rows_in ?? 0) > 0;
  const kept = readAgain ? (replayed?.attempt ?? 0) : await selectLastLetterAttempt(tx, run.id);
  if (kept !== null) await discardOwnLetters(tx, run.id, kept);
}

/** Settles the letters of a replay before `next` hears of its end. */
export function settlingReplays(next: OnRunFinished): OnRunFinished {
  return async (tx, run) => {
    await settleReplay(tx, run);
    await next(tx, run);
  };
}
