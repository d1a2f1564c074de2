import { EventEmitter } from 'node:events';
import { BroadcastChannel, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { threadEnvironment } from '../base/compile-cache.ts';
import { brokeItsProcess, type Failure, timedOut, tooMuchMemory } from './failure.ts';
import {
  CONTROL_CHANNEL,
  type HostSettings,
  type Outcome,
  type RunRequest,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadControl,
  type WorkerData,
} from './host-messages.ts';
import { ENTRY_OF } from './messages/calls.ts';
import { StartBoard } from './start-board.ts';
import {
  createThread,
  fullest,
  leastBusy,
  stalledFor,
  stallMsMax,
  type Thread,
  type Turn,
} from './thread.ts';

export interface SchedulerPorts {
  answer(id: number, outcome: Outcome): void;
  /** A thread does not end: only the end of the process ends it. */
  stuck(): void;
}

const WATCH_INTERVAL_MS = 100;
/** A thread that neither waits nor answers for so long gets no calls, and those that it has not started go elsewhere. */
const BUSY_MS_MAX = 200;
/** Between the cancellation of a call and the end of its thread. */
const CANCEL_GRACE_MS = 250;
/** A terminated thread that is still there, so long after the time limit of its call, is inside a native call. */
const TERMINATE_MS_MAX = 2_000;

/**
 * Gives calls to the threads of one Piscina pool, and sees to it that one call's excess never becomes another's error.
 *
 * A thread is *open* (takes calls), *stalled* (blocked for a while; takes none), *retired* (a call of its hit a limit; ends
 * when the others of it are done) or *gone*. When a thread has to end, the calls that it had not started run elsewhere. If it
 * had started one call, that is the culprit and gets the error; if several, each is answered `suspect`, and the control
 * plane runs each of them alone.
 */
export class ThreadScheduler {
  readonly #settings: HostSettings;
  readonly #ports: SchedulerPorts;
  readonly #pool: Piscina<ThreadCall, ThreadAnswer | null>;
  readonly #control = new BroadcastChannel(CONTROL_CHANNEL);
  readonly #board = new StartBoard();
  readonly #threads = new Set<Thread>();
  readonly #turns = new Map<number, Turn>();
  readonly #watch: NodeJS.Timeout;
  #waiting: RunRequest[] = [];
  #lastTurn = 0;
  /** The thread that the pool's next call is for; the pool's own queue stays empty. */
  #target: Worker | null = null;
  #ended = false;

  constructor(settings: HostSettings, ports: SchedulerPorts) {
    this.#settings = settings;
    this.#ports = ports;
    this.#pool = new Piscina<ThreadCall, ThreadAnswer | null>({
      minThreads: settings.threads,
      maxThreads: settings.threads,
      concurrentTasksPerWorker: settings.callsPerThread,
      // With atomics an idle thread blocks, and its connections' timers never fire.
      atomics: 'disabled',
      recordTiming: false,
      resourceLimits: { maxOldGenerationSizeMb: settings.heapMbMax },
      workerData: { settings, board: this.#board.memory } satisfies WorkerData,
      env: threadEnvironment(),
      loadBalancer: (_task, workers) => {
        const target = workers.find((worker) => worker.id === this.#target?.threadId);
        if (target) this.#target = null;
        return target ?? null;
      },
    });
    // A thread that ends between calls is replaced by the pool; nothing was lost.
    this.#pool.on('error', () => undefined);
    this.#pool.on('workerCreate', (created: { id: number }) => this.#onThread(created.id));
    // The pool gives up on threads that fail before they are ready: a new host starts from nothing.
    this.#pool.on('workerDestroy', () => {
      setImmediate(() => {
        if (!this.#ended && this.#pool.threads.length === 0) ports.stuck();
      });
    });
    this.#watch = setInterval(() => this.#watchThreads(), WATCH_INTERVAL_MS).unref();
  }

  run(request: RunRequest): void {
    this.#waiting.push(request);
    this.#pump();
  }

  cancel(id: number): void {
    const turn = this.#turns.get(id);
    if (turn !== undefined) {
      // A call that its thread has not started would not hear of it.
      if (this.#board.revoke(turn.number)) this.#settle(turn, { type: 'failed', failure: brokeItsProcess() });
      else this.#say({ type: 'cancel', id });
    }
    const left = this.#waiting.filter((request) => request.id !== id);
    if (left.length === this.#waiting.length) return;
    this.#waiting = left;
    this.#ports.answer(id, { type: 'failed', failure: brokeItsProcess() });
  }

  /** Closes what the threads hold open, and ends them. */
  async stop(graceMs: number): Promise<void> {
    this.#ended = true;
    clearInterval(this.#watch);
    this.#say({ type: 'close' });
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    this.#control.close();
    await this.#pool.destroy();
  }

  #say(control: ThreadControl): void {
    this.#control.postMessage(control);
  }

  #onThread(id: number): void {
    const worker = this.#pool.threads.find((candidate) => candidate.threadId === id);
    if (!worker) return;
    const thread = createThread(worker);
    worker.once('exit', () => {
      thread.gone = true;
      this.#threads.delete(thread);
    });
    // The pool tells of a thread a moment before it gives it calls.
    setImmediate(() => {
      if (thread.gone) return;
      this.#threads.add(thread);
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#waiting.length > 0) {
      const thread = leastBusy(this.#threads, this.#settings.callsPerThread, BUSY_MS_MAX);
      const request = thread === null ? undefined : this.#waiting.shift();
      if (thread === null || request === undefined) return;
      this.#give(request, thread);
    }
    this.#share();
  }

  /** An idle thread takes half of what the fullest has not started: it may be blocked in one of them. */
  #share(): void {
    const idle = leastBusy(this.#threads, 1, BUSY_MS_MAX);
    const full = idle && fullest(this.#threads);
    if (!idle || !full || full.turns.size < 2) return;
    for (const turn of [...full.turns].slice(-Math.floor(full.turns.size / 2))) {
      if (!this.#board.revoke(turn.number)) continue;
      this.#release(turn);
      this.#give(turn.request, idle);
    }
  }

  #give(request: RunRequest, thread: Thread): void {
    this.#lastTurn += 1;
    const end = new EventEmitter();
    const turn: Turn = {
      number: this.#lastTurn,
      request,
      thread,
      end,
      timedOut: false,
      timer: setTimeout(() => this.#onTimeout(turn), request.timeoutMs),
    };
    thread.turns.add(turn);
    this.#turns.set(request.id, turn);
    this.#board.place(turn.number);
    const filename = this.#settings.entries[ENTRY_OF[request.kind]];
    const call: ThreadCall = { id: request.id, turn: turn.number, kind: request.kind, input: request.input };
    this.#target = thread.worker;
    this.#pool.run(call, { filename, signal: end }).then(
      (answer) => this.#onAnswer(turn, answer),
      (error: unknown) => this.#onLost(turn, error),
    );
    // The thread has just ended, and its exit is not told yet.
    if (this.#target !== null) {
      this.#target = null;
      thread.gone = true;
      this.#release(turn);
      this.#waiting.unshift(request);
      end.emit('abort');
    }
  }

  #onAnswer(turn: Turn, answer: ThreadAnswer | null): void {
    const { thread, request } = turn;
    thread.answers += 1;
    thread.stalledMs = 0;
    if (answer !== null && thread.turns.has(turn)) {
      const outcome: Outcome = turn.timedOut
        ? { type: 'failed', failure: timedOut(request.timeoutMs), limitHit: true }
        : answer;
      if (outcome.type === 'failed' && outcome.limitHit === true) thread.retired = true;
      this.#settle(turn, outcome);
    }
    if (thread.retired && !thread.gone && thread.turns.size === 0) void thread.worker.terminate();
    this.#pump();
  }

  /** Its thread ended. Every call of a lost thread comes here, one after another. */
  #onLost(turn: Turn, error: unknown): void {
    const { thread } = turn;
    if (!thread.turns.has(turn)) return;
    this.#moveUnstarted(thread);
    thread.alone ??= thread.turns.size === 1;
    if (thread.turns.has(turn)) {
      const failed = () => ({ type: 'failed', failure: this.#blame(turn, error) }) as const;
      this.#settle(turn, thread.alone ? failed() : { type: 'suspect' });
    }
    this.#pump();
  }

  #blame(turn: Turn, error: unknown): Failure {
    if (turn.timedOut) return timedOut(turn.request.timeoutMs);
    const code = (error as { code?: unknown } | null)?.code;
    return code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuchMemory(this.#settings.heapMbMax) : brokeItsProcess();
  }

  #release(turn: Turn): void {
    clearTimeout(turn.timer);
    turn.thread.turns.delete(turn);
    this.#turns.delete(turn.request.id);
  }

  #settle(turn: Turn, outcome: Outcome): void {
    this.#release(turn);
    this.#ports.answer(turn.request.id, outcome);
  }

  /** Takes from a thread what it has not started, and puts it first in the queue. */
  #moveUnstarted(thread: Thread): void {
    const moved = [...thread.turns].filter((turn) => this.#board.revoke(turn.number));
    for (const turn of moved) this.#release(turn);
    this.#waiting.unshift(...moved.map((turn) => turn.request));
  }

  #onTimeout(turn: Turn): void {
    turn.timedOut = true;
    this.#say({ type: 'cancel', id: turn.request.id });
    turn.timer = setTimeout(() => this.#onIgnoredCancel(turn), CANCEL_GRACE_MS);
  }

  #onIgnoredCancel(turn: Turn): void {
    const { thread } = turn;
    thread.retired = true;
    this.#moveUnstarted(thread);
    if (thread.turns.has(turn)) {
      const turns = thread.turns.size > 1 && thread.stalledMs === 0;
      // A thread that still turns lets its other calls finish: this one alone ignores its end.
      if (turns) this.#settle(turn, { type: 'failed', failure: timedOut(turn.request.timeoutMs) });
      else this.#end(thread, TERMINATE_MS_MAX, thread.turns.size === 1);
    }
    this.#pump();
  }

  /** Ends a thread with what it holds; the pool replaces it at once, even when it hangs in a native call. */
  #end(thread: Thread, hangMsMax: number, alone: boolean): void {
    thread.alone = alone;
    thread.retired = true;
    const [first] = thread.turns;
    first?.end.emit('abort');
    const hangs = setTimeout(() => {
      if (!thread.gone) this.#ports.stuck();
    }, hangMsMax).unref();
    thread.worker.once('exit', () => clearTimeout(hangs));
  }

  #watchThreads(): void {
    if (this.#turns.size + this.#waiting.length === 0) return;
    for (const thread of [...this.#threads]) {
      thread.stalledMs = stalledFor(thread, WATCH_INTERVAL_MS);
      if (thread.stalledMs < BUSY_MS_MAX) continue;
      if (thread.answers > 0) this.#moveUnstarted(thread);
      if (thread.turns.size > 1 && thread.stalledMs >= stallMsMax(thread)) this.#endStalled(thread);
    }
    this.#pump();
    const open = leastBusy(this.#threads, Number.POSITIVE_INFINITY, BUSY_MS_MAX);
    if (this.#waiting.length > 0 && open === null) this.#freeOne();
  }

  /** Every thread is blocked and calls wait: the one that has been blocked longest gives its call to a run alone. */
  #freeOne(): void {
    const blocked = [...this.#threads].filter(
      (t) => t.turns.size > 0 && t.alone === null && t.stalledMs >= stallMsMax(t),
    );
    const worst = blocked.sort((a, b) => b.stalledMs - a.stalledMs)[0];
    if (worst) this.#endStalled(worst);
  }

  /** Inside a native call it may finish that: the time of its calls and a little more. */
  #endStalled(thread: Thread): void {
    const hangMsMax = Math.max(...[...thread.turns].map((turn) => turn.request.timeoutMs)) + TERMINATE_MS_MAX;
    this.#end(thread, hangMsMax, false);
  }
}
