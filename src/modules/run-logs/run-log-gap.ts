import type { AttemptCursor, LogPlace } from './run-log-store.ts';

/** Lines that a reader at a place will never see, and why. */
export interface Gap {
  readonly attempt: number;
  readonly from: number;
  readonly to: number;
  readonly reason: 'retention' | 'quota';
}

/** The first that was dropped gave its place to the note that says so. */
function noteOf({ acked_seq, dropped }: AttemptCursor): number {
  return acked_seq - dropped + 1;
}

/** The gap that begins right after `after`, where there is one: what a reader is told before it goes on past it. */
export function gapAfter(after: LogPlace, cursors: readonly AttemptCursor[]): Gap | null {
  for (const cursor of cursors) {
    const { attempt, acked_seq, dropped, pruned_seq } = cursor;
    if (attempt < after.attempt) continue;
    const seq = attempt === after.attempt ? after.seq : 0;
    if (seq < pruned_seq) return { attempt, from: seq + 1, to: pruned_seq, reason: 'retention' };
    if (dropped > 1 && seq >= noteOf(cursor) && seq < acked_seq)
      return { attempt, from: seq + 1, to: acked_seq, reason: 'quota' };
    if (seq < acked_seq) return null;
  }
  return null;
}

/**
 * Where a reader that finds no more lines after `after` goes on, so that it passes by no gap: a filter may have kept back the
 * lines before one. Null where there is none.
 */
export function placeBeforeGap(after: LogPlace, cursors: readonly AttemptCursor[]): LogPlace | null {
  for (const cursor of cursors) {
    const { attempt, dropped, pruned_seq } = cursor;
    if (attempt < after.attempt) continue;
    if (attempt > after.attempt && pruned_seq > 0) return { attempt, seq: 0 };
    const seq = attempt === after.attempt ? after.seq : 0;
    if (dropped > 1 && seq < noteOf(cursor)) return { attempt, seq: noteOf(cursor) };
  }
  return null;
}
