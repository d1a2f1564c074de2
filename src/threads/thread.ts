import type { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { RunRequest, ThreadAnswer } from './host-messages.ts';

/** A thread that neither waits nor answers for this long gets no calls, and those that it has not started move to others. */
export const BUSY_MS_MAX = 200;
/** After this time it is terminated, when several started calls share it, or when no thread is left for calls that wait. */
const STALL_MS_MAX = 1_000;
/** The same for a thread that has not answered yet: it may be loading its entry. */
const COLD_STALL_MS_MAX = 5_000;
/** The time of a call begins when its thread has loaded its entry, at the latest so long after it was given the call. */
const LOAD_MS_MAX = 30_000;

/** A call that a thread holds. One that the thread had not started may get another attempt elsewhere. */
export interface Attempt {
  /** Its entry in the claims. */
  readonly number: number;
  readonly request: RunRequest;
  readonly thread: Thread;
  /** Its `abort` ends the thread with everything that it holds. An emitter: a signal costs a good part of a small call. */
  readonly end: EventEmitter;
  /** Its time is over; what it answers now comes too late. */
  timedOut: boolean;
  timer: NodeJS.Timeout;
  /** By `performance.now()`. */
  readonly assignedAt: number;
  /** Parts of its answer that have come. */
  parts: number;
  /** The answer while parts that were sent before it have not come: they travel by another port. */
  early: ThreadAnswer | null;
}

export class Thread {
  readonly worker: Worker;
  readonly attempts = new Set<Attempt>();
  /** Answers and parts of answers so far. */
  answers = 0;
  /** Milliseconds since it last waited or answered, while it holds calls. */
  stalledMs = 0;
  /** Takes no more calls, and ends when it holds none. */
  retired = false;
  gone = false;
  /** Whether a single call is to blame for its end; null before that. */
  alone: boolean | null = null;
  #idleMsSeen = 0;
  #answersSeen = 0;

  constructor(worker: Worker) {
    this.worker = worker;
  }

  get stallMsMax(): number {
    return this.answers === 0 ? COLD_STALL_MS_MAX : STALL_MS_MAX;
  }

  /** Whether it holds calls of several callers: one that may only be loading still holds nobody up with another's call. */
  get isShared(): boolean {
    return new Set([...this.attempts].map(({ request }) => request.caller)).size > 1;
  }

  /**
   * Counts another `intervalMs`: its event loop's idle time grows whenever it waits, so that a thread whose idle time stands
   * still, and that answers nothing, is inside one long piece of work.
   */
  watch(intervalMs: number): void {
    const { idle } = this.worker.performance.eventLoopUtilization();
    const moved = idle !== this.#idleMsSeen || this.answers !== this.#answersSeen || this.attempts.size === 0;
    this.#idleMsSeen = idle;
    this.#answersSeen = this.answers;
    this.stalledMs = moved ? 0 : this.stalledMs + intervalMs;
  }

  answered(): void {
    this.answers += 1;
    this.stalledMs = 0;
  }
}

/** Whether its thread, which has answered nothing yet, may still be loading what runs the call. */
export function mayBeLoading({ thread, assignedAt, timedOut }: Attempt, now: number): boolean {
  return thread.answers === 0 && !timedOut && now - assignedAt < LOAD_MS_MAX;
}

/** The thread that takes calls and has the fewest, or null when each has `attemptsMax`. */
export function leastBusy(threads: Iterable<Thread>, attemptsMax: number): Thread | null {
  let best: Thread | null = null;
  for (const thread of threads) {
    const isOpen = !thread.gone && !thread.retired && thread.stalledMs < BUSY_MS_MAX;
    if (!isOpen || thread.attempts.size >= attemptsMax) continue;
    if (best === null || thread.attempts.size < best.attempts.size) best = thread;
  }
  return best;
}

/** The thread that holds the most calls. */
export function fullest(threads: Iterable<Thread>): Thread | null {
  let most: Thread | null = null;
  for (const thread of threads) if (most === null || thread.attempts.size > most.attempts.size) most = thread;
  return most;
}
