import type { PendingCall } from './pending-call.ts';

export interface QueueLimits {
  /** Calls of one caller in the host at once; none for the server's own. */
  readonly atWorkMax: number;
  /** Calls that wait. */
  readonly waitingMax: number;
  /** Those of one caller; none for the server's own. */
  readonly callerWaitingMax: number;
}

interface CallerQueue {
  waiting: PendingCall[];
  atWork: number;
}

/**
 * Calls that wait for the host, in a queue for each caller. The next is one of the caller with the fewest at work, and one caller
 * never has all places: whatever one asks for, another is served.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #callers = new Map<string | null, CallerQueue>();
  readonly #atWork = new Set<PendingCall>();
  #length = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#length;
  }

  /** Whether there is no room for another call of this caller. */
  isFull(caller: string | null): boolean {
    const waiting = this.#callers.get(caller)?.waiting.length ?? 0;
    return (
      this.#length >= this.#limits.waitingMax || (caller !== null && waiting >= this.#limits.callerWaitingMax)
    );
  }

  push(call: PendingCall): void {
    this.#of(call.caller).waiting.push(call);
    this.#length += 1;
  }

  /** Puts a call back that was taken. */
  putBack(call: PendingCall): void {
    this.done(call);
    this.#of(call.caller).waiting.unshift(call);
    this.#length += 1;
  }

  /** The next call, which counts as its caller's until `done`. */
  take(): PendingCall | undefined {
    let next: CallerQueue | null = null;
    for (const [caller, queue] of this.#callers) {
      const isOpen = caller === null || queue.atWork < this.#limits.atWorkMax;
      if (isOpen && queue.waiting.length > 0 && (next === null || queue.atWork < next.atWork)) next = queue;
    }
    const call = next?.waiting.shift();
    if (next === null || call === undefined) return undefined;
    this.#length -= 1;
    next.atWork += 1;
    this.#atWork.add(call);
    return call;
  }

  /** The call has left the host, or never got there. */
  done(call: PendingCall): void {
    if (!this.#atWork.delete(call)) return;
    const queue = this.#of(call.caller);
    queue.atWork -= 1;
    if (queue.atWork === 0 && queue.waiting.length === 0) this.#callers.delete(call.caller);
  }

  /** Takes out the waiting calls for which `keep` is false. */
  keep(keep: (call: PendingCall) => boolean): void {
    this.#length = 0;
    for (const [caller, queue] of this.#callers) {
      queue.waiting = queue.waiting.filter(keep);
      this.#length += queue.waiting.length;
      if (queue.atWork === 0 && queue.waiting.length === 0) this.#callers.delete(caller);
    }
  }

  #of(caller: string | null): CallerQueue {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
    const queue: CallerQueue = { waiting: [], atWork: 0 };
    this.#callers.set(caller, queue);
    return queue;
  }
}
