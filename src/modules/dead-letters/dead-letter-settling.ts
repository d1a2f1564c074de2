import type { Tx } from '../../store/store.ts';
import type { RunRow } from '../runs/run.ts';
import type { OnRunFinished } from '../runs/run-completion.ts';
import {
  discardOwnLetters,
  discardRepeatedLetters,
  endReplaying,
  selectLastLetterAttempt,
  selectLetterAttempts,
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

/** An attempt that was lost leaves letters, and the next one reads the same rows: each stays open once. What a later attempt did not read again stays as well. */
async function settleAttempts(tx: Tx, run: Pick<RunRow, 'id' | 'attempt' | 'replay_step'>): Promise<void> {
  if (run.attempt < 2 || run.replay_step !== null) return;
  const attempts = await selectLetterAttempts(tx, run.id);
  for (const attempt of attempts.slice(0, -1)) await discardRepeatedLetters(tx, run.id, attempt);
}

/** Settles the letters of a run before `next` hears of its end. */
export function settlingLetters(next: OnRunFinished): OnRunFinished {
  return async (tx, run) => {
    await settleReplay(tx, run);
    await settleAttempts(tx, run);
    await next(tx, run);
  };
}
