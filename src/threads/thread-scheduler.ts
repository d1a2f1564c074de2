import { EventEmitter } from 'node:events';
import { AttemptClaims } from './attempt-claims.ts';
import { brokeItsProcess, type Failure, notLoaded, timedOut, tooMuchMemory } from './failure.ts';
import type {
  AnswerPart,
  HostSettings,
  Outcome,
  RunRequest,
  ThreadAnswer,
  ThreadPart,
} from './host-messages.ts';
import { type Attempt, BUSY_MS_MAX, fullest, leastBusy, mayBeLoading, type Thread } from './thread.ts';
import { ThreadPool } from './thread-pool.ts';

export interface SchedulerPorts {
  answer(id: number, answer: AnswerPart | Outcome): void;
  /** A thread does not end: only the end of the process ends it. */
  stuck(): void;
}

const WATCH_INTERVAL_MS = 100;
/** Between the cancellation of a call and the end of its thread. */
const CANCEL_GRACE_MS = 250;
/** A terminated thread that is still there this long after the time limit of its call is inside a native call. */
const TERMINATE_MS_MAX = 2_000;
/** A call that its threads gave back this often without having started it is not tried again. */
const GIVEN_BACK_MAX = 10;

/**
 * Assigns calls to threads, and sees to it that one call's excess never becomes another's error.
 *
 * A thread is *open* (takes calls), *stalled* (blocked for a while; takes none), *retired* (a call of its hit a limit; ends
 * when the others of it are done) or *gone*. When a thread has to end, the calls that it had not started run elsewhere. If it
 * had started one call, that is the culprit and gets the error; if several, each is answered `run_alone`, and the control
 * plane runs each of them alone.
 */
export class ThreadScheduler {
  readonly #settings: HostSettings;
  readonly #ports: SchedulerPorts;
  readonly #claims = new AttemptClaims();
  readonly #pool: ThreadPool;
  /** By the id of their call. */
  readonly #attempts = new Map<number, Attempt>();
  readonly #watch: NodeJS.Timeout;
  /** How often a thread was lost, or refused it, before a call was started. */
  readonly #givenBack = new WeakMap<RunRequest, number>();
  #waiting: RunRequest[] = [];
  #lastAttempt = 0;

  constructor(settings: HostSettings, ports: SchedulerPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#pool = new ThreadPool(settings, this.#claims.memory, {
      added: () => this.#pump(),
      part: (part) => this.#onPart(part),
      // A new host starts from nothing.
      emptied: () => ports.stuck(),
    });
    this.#watch = setInterval(() => this.#watchThreads(), WATCH_INTERVAL_MS).unref();
  }

  run(request: RunRequest): void {
    this.#waiting.push(request);
    this.#pump();
  }

  cancel(id: number): void {
    const attempt = this.#attempts.get(id);
    if (attempt !== undefined) {
      // What its thread has not started has no signal to abort.
      if (this.#claims.revoke(attempt.number))
        this.#settle(attempt, { type: 'failed', failure: brokeItsProcess() });
      else this.#pool.broadcast({ type: 'cancel', id });
    }
    const left = this.#waiting.filter((request) => request.id !== id);
    if (left.length === this.#waiting.length) return;
    this.#waiting = left;
    this.#ports.answer(id, { type: 'failed', failure: brokeItsProcess() });
  }

  /** Closes what the threads hold open, and ends them. */
  async stop(graceMs: number): Promise<void> {
    clearInterval(this.#watch);
    await this.#pool.stop(graceMs);
  }

  #pump(): void {
    while (this.#waiting.length > 0) {
      const thread = leastBusy(this.#pool.threads, this.#settings.callsPerThread);
      if (thread === null) return;
      this.#assign(this.#takeNext(), thread);
    }
    this.#share();
  }

  /** The first call of the caller with the fewest in threads: calls that block theirs hold up nobody else's. */
  #takeNext(): RunRequest {
    const held = new Map<string | null, number>();
    for (const { request } of this.#attempts.values())
      held.set(request.caller, (held.get(request.caller) ?? 0) + 1);
    const counts = this.#waiting.map(({ caller }) => held.get(caller) ?? 0);
    const [next] = this.#waiting.splice(counts.indexOf(Math.min(...counts)), 1);
    if (next === undefined) throw new Error('No call waits');
    return next;
  }

  /** An idle thread takes half of what the fullest has not started: it may be blocked in one of them. */
  #share(): void {
    const idle = leastBusy(this.#pool.threads, 1);
    const full = idle && fullest(this.#pool.threads);
    if (!idle || !full || full.attempts.size < 2) return;
    for (const attempt of [...full.attempts].slice(-Math.floor(full.attempts.size / 2))) {
      if (!this.#claims.revoke(attempt.number)) continue;
      this.#release(attempt);
      this.#assign(attempt.request, idle);
    }
  }

  #assign(request: RunRequest, thread: Thread): void {
    this.#lastAttempt += 1;
    const attempt: Attempt = {
      number: this.#lastAttempt,
      request,
      thread,
      end: new EventEmitter(),
      timedOut: false,
      timer: setTimeout(() => this.#onTimeout(attempt), request.timeoutMs),
      assignedAt: performance.now(),
      parts: 0,
      early: null,
    };
    thread.attempts.add(attempt);
    this.#attempts.set(request.id, attempt);
    this.#claims.assign(attempt.number);
    const { id, kind, input } = request;
    const answer = this.#pool.run(thread, { id, attempt: attempt.number, kind, input }, attempt.end);
    if (answer === null) {
      thread.gone = true;
      this.#release(attempt);
      this.#waiting.unshift(request);
      return;
    }
    answer.then(
      (text) => this.#onAnswer(attempt, text),
      (error: unknown) => this.#onLost(attempt, error),
    );
  }

  #onPart({ id, attempt: number, ...part }: ThreadPart): void {
    const attempt = this.#attempts.get(id);
    // Another attempt begins with its parts anew.
    if (attempt?.number !== number) return;
    attempt.parts += 1;
    attempt.thread.answered();
    if (!attempt.timedOut) attempt.timer.refresh();
    this.#ports.answer(id, part);
    if (attempt.early !== null) this.#onAnswer(attempt, attempt.early);
  }

  #onAnswer(attempt: Attempt, answer: ThreadAnswer | null): void {
    const { thread, request, parts } = attempt;
    const isHeld = thread.attempts.has(attempt);
    if (isHeld && answer?.type === 'done' && answer.parts > parts) {
      attempt.early = answer;
      return;
    }
    thread.answered();
    if (answer !== null && isHeld) {
      const outcome: Outcome = attempt.timedOut
        ? { type: 'failed', failure: timedOut(request.timeoutMs), limitHit: true }
        : answer;
      if (outcome.type === 'failed' && outcome.limitHit === true) thread.retired = true;
      this.#settle(attempt, outcome);
    }
    if (thread.retired && !thread.gone && thread.attempts.size === 0) void thread.worker.terminate();
    this.#pump();
  }

  /** Its thread ended, or could not load the entry. Every call of a lost thread comes here, one after another. */
  #onLost(attempt: Attempt, error: unknown): void {
    const { thread, request } = attempt;
    if (!thread.attempts.has(attempt)) return;
    const times = (this.#givenBack.get(request) ?? 0) + 1;
    this.#givenBack.set(request, times);
    if (times >= GIVEN_BACK_MAX && this.#claims.revoke(attempt.number))
      this.#settle(attempt, { type: 'failed', failure: notLoaded(error) });
    this.#moveUnstarted(thread);
    thread.alone ??= thread.attempts.size === 1;
    if (thread.attempts.has(attempt)) {
      const failed = () => ({ type: 'failed', failure: this.#blame(attempt, error) }) as const;
      this.#settle(attempt, thread.alone ? failed() : { type: 'run_alone' });
    }
    this.#pump();
  }

  #blame(attempt: Attempt, error: unknown): Failure {
    if (attempt.timedOut) return timedOut(attempt.request.timeoutMs);
    const code = (error as { code?: unknown } | null)?.code;
    return code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory(this.#settings.heapMbMax) : brokeItsProcess();
  }

  #release(attempt: Attempt): void {
    clearTimeout(attempt.timer);
    attempt.thread.attempts.delete(attempt);
    this.#attempts.delete(attempt.request.id);
  }

  #settle(attempt: Attempt, outcome: Outcome): void {
    this.#release(attempt);
    this.#ports.answer(attempt.request.id, outcome);
  }

  /** Takes from a thread what it has not started, and puts it first in the queue. */
  #moveUnstarted(thread: Thread): void {
    const moved = [...thread.attempts].filter((attempt) => this.#claims.revoke(attempt.number));
    for (const attempt of moved) this.#release(attempt);
    this.#waiting.unshift(...moved.map((attempt) => attempt.request));
  }

  #onTimeout(attempt: Attempt): void {
    attempt.timedOut = true;
    this.#pool.broadcast({ type: 'cancel', id: attempt.request.id });
    attempt.timer = setTimeout(() => this.#onIgnoredCancel(attempt), CANCEL_GRACE_MS);
  }

  #onIgnoredCancel(attempt: Attempt): void {
    const { thread } = attempt;
    thread.retired = true;
    this.#moveUnstarted(thread);
    if (thread.attempts.has(attempt)) {
      const isResponsive = thread.attempts.size > 1 && thread.stalledMs === 0;
      // A thread that responds lets its other calls finish: this one alone ignores its end.
      if (isResponsive)
        this.#settle(attempt, { type: 'failed', failure: timedOut(attempt.request.timeoutMs) });
      else this.#end(thread, TERMINATE_MS_MAX, thread.attempts.size === 1);
    }
    this.#pump();
  }

  /** Ends a thread with what it holds; the pool replaces it at once, even when it hangs in a native call. */
  #end(thread: Thread, hangMsMax: number, alone: boolean): void {
    thread.alone = alone;
    thread.retired = true;
    const [first] = thread.attempts;
    first?.end.emit('abort');
    const hangs = setTimeout(() => {
      if (!thread.gone) this.#ports.stuck();
    }, hangMsMax).unref();
    thread.worker.once('exit', () => clearTimeout(hangs));
  }

  #watchThreads(): void {
    if (this.#attempts.size + this.#waiting.length === 0) return;
    this.#waitForLoading();
    for (const thread of [...this.#pool.threads]) {
      thread.watch(WATCH_INTERVAL_MS);
      if (thread.stalledMs < BUSY_MS_MAX) continue;
      if (thread.answers > 0 || thread.isShared) this.#moveUnstarted(thread);
      if (thread.attempts.size > 1 && thread.stalledMs >= thread.stallMsMax) this.#endStalled(thread);
    }
    this.#pump();
    const open = leastBusy(this.#pool.threads, Number.POSITIVE_INFINITY);
    if (this.#waiting.length > 0 && open === null) this.#freeOne();
  }

  /** The time of a call is for the call: what a new thread takes to load its code on a busy machine does not count. */
  #waitForLoading(): void {
    const now = performance.now();
    for (const attempt of this.#attempts.values())
      if (mayBeLoading(attempt, now) && !this.#claims.hasStarted(attempt.number)) attempt.timer.refresh();
  }

  /** Every thread is blocked and calls wait: the call of the one that has been blocked longest runs alone. */
  #freeOne(): void {
    const blocked = [...this.#pool.threads].filter(
      (thread) => thread.attempts.size > 0 && thread.alone === null && thread.stalledMs >= thread.stallMsMax,
    );
    const worst = blocked.sort((a, b) => b.stalledMs - a.stalledMs)[0];
    if (worst) this.#endStalled(worst);
  }

  /** Inside a native call it may finish that: the time of its calls and a little more. */
  #endStalled(thread: Thread): void {
    const timeouts = [...thread.attempts].map((attempt) => attempt.request.timeoutMs);
    this.#end(thread, Math.max(...timeouts) + TERMINATE_MS_MAX, false);
  }
}
