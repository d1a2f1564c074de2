import type { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { RunRequest } from './host-messages.ts';

/** After so long without waiting or answering a thread ends, when several started calls share it, or when no thread is left for calls that wait. */
const STALL_MS_MAX = 1_000;
/** The same for a thread that has not answered yet: it may be loading its entry. */
const COLD_STALL_MS_MAX = 5_000;

/** A call that a thread holds: one turn of it, as a call that the thread had not started may get another turn elsewhere. */
export interface Turn {
  /** Its place on the start board. */
  readonly number: number;
  readonly request: RunRequest;
  readonly thread: Thread;
  /** Its `abort` ends the thread with everything that it holds. An emitter: a signal costs a good part of a small call. */
  readonly end: EventEmitter;
  /** Its time is over; what it answers now comes too late. */
  timedOut: boolean;
  timer: NodeJS.Timeout;
}

export interface Thread {
  readonly worker: Worker;
  readonly turns: Set<Turn>;
  /** Calls answered so far. */
  answers: number;
  /** Milliseconds since it last waited or answered, while it holds calls. */
  stalledMs: number;
  /** Takes no more calls, and ends when it holds none. */
  retired: boolean;
  gone: boolean;
  /** Whether a single call is to blame for its end; null before that. */
  alone: boolean | null;
  idleMsSeen: number;
  answersSeen: number;
}

export function createThread(worker: Worker): Thread {
  return {
    worker,
    turns: new Set(),
    answers: 0,
    stalledMs: 0,
    retired: false,
    gone: false,
    alone: null,
    idleMsSeen: 0,
    answersSeen: 0,
  };
}

/**
 * `stalledMs` after another `intervalMs`: its event loop's idle time grows whenever it waits, so that a thread whose idle
 * time stands still, and that answers nothing, is inside one long piece of work.
 */
export function stalledFor(thread: Thread, intervalMs: number): number {
  const { idle } = thread.worker.performance.eventLoopUtilization();
  const moved =
    idle !== thread.idleMsSeen || thread.answers !== thread.answersSeen || thread.turns.size === 0;
  thread.idleMsSeen = idle;
  thread.answersSeen = thread.answers;
  return moved ? 0 : thread.stalledMs + intervalMs;
}

/** The thread that takes calls and has the fewest, or null when each has `turnsMax`. */
export function leastBusy(threads: Iterable<Thread>, turnsMax: number, stallMsMax: number): Thread | null {
  let best: Thread | null = null;
  for (const thread of threads) {
    if (thread.gone || thread.retired || thread.stalledMs >= stallMsMax || thread.turns.size >= turnsMax)
      continue;
    if (best === null || thread.turns.size < best.turns.size) best = thread;
  }
  return best;
}

/** The thread that holds the most calls. */
export function fullest(threads: Iterable<Thread>): Thread | null {
  let most: Thread | null = null;
  for (const thread of threads) if (most === null || thread.turns.size > most.turns.size) most = thread;
  return most;
}

export function stallMsMax(thread: Thread): number {
  return thread.answers === 0 ? COLD_STALL_MS_MAX : STALL_MS_MAX;
}
