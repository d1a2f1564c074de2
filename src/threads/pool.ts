import { availableParallelism } from 'node:os';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { entryFile } from '../base/program-files.ts';
import { effectUnknown, errorOf, type Failure } from './failure.ts';
import { HostChild, type HostChildOptions } from './host-child.ts';
import type { HostAnswer, ThreadData } from './host-messages.ts';
import { IsolatedHost } from './isolated-host.ts';
import { type Answer, type Call, type CallKind, decodeAnswer, type EntryName } from './messages/calls.ts';
import { PendingCall } from './pending-call.ts';

export interface WorkerPoolOptions {
  readonly logger: Logger;
  readonly data: ThreadData;
  /** Default: the machine's cores, at least 2. */
  readonly threads?: number;
  /** Calls that share a thread while they wait for input or output, default 8. */
  readonly callsPerThread?: number;
  /** Calls that wait for the host, default 1,000; one more is `NOT_READY`. */
  readonly queueMax?: number;
  /** Longest wait for the host, default 30,000. */
  readonly queueWaitMsMax?: number;
  /** Wall time of a call unless it names its own, default 10,000. */
  readonly callTimeoutMs?: number;
  /** Heap of one thread, default 256. */
  readonly heapMbMax?: number;
  /** Longest answer in characters of JSON, default 8 million. */
  readonly outputCharsMax?: number;
  /** Hosts for calls that must run alone, default 2. */
  readonly isolatedHosts?: number;
  readonly hostEntry?: string;
  /** Thread entries, default those of `workers/`. */
  readonly entries?: Partial<Readonly<Record<EntryName, string>>>;
  /** Node's flags for the host, default none. */
  readonly execArgv?: readonly string[];
}

export interface RunOptions {
  /** Ends the wait at once, with the signal's reason, and aborts the call's own signal. */
  readonly signal?: AbortSignal;
  /** Wall time from the moment that a thread takes the call, or from the last part of its answer. */
  readonly timeoutMs?: number;
  /** For a call with effects: where its thread or host is lost after it was sent, it fails instead of running again. */
  readonly once?: boolean;
  /** Takes the parts of an answer that come ahead of it, counted from 0: anew, where the call has to run again. */
  readonly onPart?: (index: number, text: string) => void;
}

export interface WorkerPoolStats {
  readonly queued: number;
  readonly running: number;
  /** Calls that run alone, or wait to, because their thread or host was lost while others ran beside them. */
  readonly isolated: number;
  /** Hosts that died so far. */
  readonly restarts: number;
  readonly hostPid: number | undefined;
}

export interface WorkerPool {
  /**
   * Runs one call in the worker host. Rejects with `UNPROCESSABLE` for the call that exceeded its time, memory or output,
   * `NOT_READY` when too many wait or the pool stops, and with what the call's own code throws.
   */
  run<T extends Call>(call: T, options?: RunOptions): Promise<Answer<T['kind']>>;
  stats(): WorkerPoolStats;
  /** Resolves when the host takes calls. */
  ready(): Promise<void>;
  /** Ends the host and rejects what waits. */
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 2_000;
const RESPAWN_MS_MIN = 100;
const RESPAWN_MS_MAX = 5_000;
const SWEEP_INTERVAL_MS = 500;

/**
 * The control plane's side of the worker host: a bounded queue, one host child that is replaced at once when it dies, and a
 * few others in which calls run alone when it is not known which of them broke a thread or the host.
 */
export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new HostedPool(options);
}

class HostedPool implements WorkerPool {
  readonly #logger: Logger;
  readonly #childOptions: HostChildOptions;
  readonly #queueMax: number;
  readonly #queueWaitMsMax: number;
  readonly #callTimeoutMs: number;
  readonly #runningMax: number;
  readonly #isolatedHosts: readonly IsolatedHost[];
  readonly #sweeper: NodeJS.Timeout;
  readonly #running = new Map<number, PendingCall>();
  #queue: PendingCall[] = [];
  #toIsolate: PendingCall[] = [];
  #host: HostChild | null = null;
  #hostReady = Promise.withResolvers<void>();
  #isReady = false;
  #startsFailed = 0;
  #restarts = 0;
  #respawn: NodeJS.Timeout | undefined;
  #lastId = 0;
  #stopped = false;

  constructor(options: WorkerPoolOptions) {
    const threads = options.threads ?? Math.max(2, availableParallelism());
    const callsPerThread = options.callsPerThread ?? 8;
    this.#logger = options.logger;
    this.#queueMax = options.queueMax ?? 1_000;
    this.#queueWaitMsMax = options.queueWaitMsMax ?? 30_000;
    this.#callTimeoutMs = options.callTimeoutMs ?? 10_000;
    // A little more than the threads hold, so that a thread that becomes free finds its next call in the host.
    this.#runningMax = threads * callsPerThread + threads;
    this.#childOptions = {
      entry: options.hostEntry ?? entryFile('src/threads/host'),
      execArgv: options.execArgv ?? [],
      settings: {
        threads,
        callsPerThread,
        heapMbMax: options.heapMbMax ?? 256,
        outputCharsMax: options.outputCharsMax ?? 8_000_000,
        entries: {
          language: entryFile('workers/language'),
          connector: entryFile('workers/connector'),
          widget: entryFile('workers/widget'),
          preview: entryFile('workers/preview'),
          ...options.entries,
        },
        data: options.data,
      },
    };
    this.#isolatedHosts = Array.from(
      { length: options.isolatedHosts ?? 2 },
      () => new IsolatedHost(this.#childOptions, () => this.#runIsolated()),
    );
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    // Nobody may be waiting when the pool stops before its host was ever ready.
    this.#hostReady.promise.catch(() => undefined);
    this.#start();
  }

  async run<T extends Call>(call: T, options: RunOptions = {}): Promise<Answer<T['kind']>> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#stopped) throw new AppError('NOT_READY', 'The server is stopping');
    if (this.#queue.length >= this.#queueMax) throw errorOf(BUSY);
    const kind: CallKind = call.kind;
    this.#lastId += 1;
    const pending = new PendingCall(this.#lastId, call, { timeoutMs: this.#callTimeoutMs, ...options });
    if (signal) pending.follow(signal, () => this.#cancel(pending));
    this.#queue.push(pending);
    this.#pump();
    return decodeAnswer<T['kind']>(kind, await pending.text);
  }

  stats(): WorkerPoolStats {
    return {
      queued: this.#queue.length,
      running: this.#running.size,
      isolated: this.#toIsolate.length + this.#isolatedHosts.filter((host) => host.busy).length,
      restarts: this.#restarts,
      hostPid: this.#host?.pid,
    };
  }

  ready(): Promise<void> {
    return this.#hostReady.promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweeper);
    clearTimeout(this.#respawn);
    const failure = { code: 'NOT_READY', message: 'The server is stopping' } as const;
    this.#hostReady.reject(new AppError(failure.code, failure.message));
    for (const call of [...this.#queue, ...this.#toIsolate, ...this.#running.values()]) call.fail(failure);
    this.#queue = [];
    this.#toIsolate = [];
    await Promise.all([
      this.#host?.stop(STOP_GRACE_MS),
      ...this.#isolatedHosts.map((host) => host.stop(STOP_GRACE_MS)),
    ]);
  }

  #start(): void {
    const host = new HostChild(this.#childOptions, {
      ready: () => this.#onReady(),
      answers: (answers) => {
        for (const answer of answers) this.#onAnswer(answer);
        this.#pump();
      },
      ended: (how) => this.#onEnded(how),
    });
    this.#host = host;
  }

  #onReady(): void {
    this.#startsFailed = 0;
    this.#isReady = true;
    this.#hostReady.resolve();
    this.#pump();
  }

  /** Sends what waits, as far as the host has room. */
  #pump(): void {
    if (!this.#isReady) return;
    while (this.#running.size < this.#runningMax) {
      const call = this.#queue.shift();
      if (!call) return;
      if (call.settled) continue;
      this.#running.set(call.id, call);
      this.#host?.send(call.shortRequest);
    }
  }

  #onAnswer(answer: HostAnswer): void {
    const call = this.#running.get(answer.id);
    if (!call) return;
    if (answer.type !== 'part') this.#running.delete(answer.id);
    if (answer.type === 'part') call.part(answer);
    else if (answer.type === 'done') call.done(answer.text);
    else if (answer.type === 'failed') this.#fail(call, answer);
    else if (answer.type === 'run_alone') this.#isolate([call]);
    else this.#queue.unshift(call.withText());
  }

  #fail(call: PendingCall, answer: Extract<HostAnswer, { type: 'failed' }>): void {
    const { failure } = answer;
    // A call that was aborted fails in its thread for that reason.
    if (failure.code === 'INTERNAL_ERROR' && !call.settled) {
      this.#logger.error({ kind: call.kind, stack: failure.logged }, 'a call failed inside the worker');
    }
    call.fail(failure);
  }

  #isolate(calls: readonly PendingCall[]): void {
    const now = performance.now();
    for (const call of calls) {
      if (call.settled) continue;
      if (call.once) {
        call.fail(effectUnknown());
        continue;
      }
      call.waitingSince = now;
      this.#toIsolate.push(call);
    }
    this.#runIsolated();
  }

  #runIsolated(): void {
    if (this.#stopped) return;
    this.#toIsolate = this.#toIsolate.filter((call) => !call.settled);
    for (const host of this.#isolatedHosts) {
      const call = host.busy ? undefined : this.#toIsolate.shift();
      if (call !== undefined) host.run(call);
    }
  }

  #cancel(call: PendingCall): void {
    if (this.#running.has(call.id)) this.#host?.send({ type: 'cancel', id: call.id });
    else for (const host of this.#isolatedHosts) host.cancel(call.id);
  }

  #onEnded(how: { code: number | null; signal: string | null; said: string }): void {
    const wasReady = this.#isReady;
    if (wasReady) this.#hostReady = Promise.withResolvers();
    this.#hostReady.promise.catch(() => undefined);
    this.#isReady = false;
    this.#host = null;
    const lost = [...this.#running.values()];
    this.#running.clear();
    if (this.#stopped) return;
    this.#restarts += 1;
    this.#logger.warn({ ...how, running: lost.length }, 'the worker host died; starting another');
    this.#isolate(lost);
    this.#startsFailed = wasReady ? 0 : this.#startsFailed + 1;
    const delayMs = wasReady ? 0 : Math.min(RESPAWN_MS_MAX, RESPAWN_MS_MIN * 2 ** this.#startsFailed);
    this.#respawn = setTimeout(() => this.#start(), delayMs);
  }

  /** Refuses calls that have waited too long. */
  #sweep(): void {
    const oldest = performance.now() - this.#queueWaitMsMax;
    const keep = (call: PendingCall) => {
      if (call.waitingSince < oldest) call.fail(BUSY);
      return !call.settled;
    };
    this.#queue = this.#queue.filter(keep);
    this.#toIsolate = this.#toIsolate.filter(keep);
  }
}

const BUSY: Failure = {
  code: 'NOT_READY',
  message: 'Too many calls are waiting; try again',
  retryAfterSeconds: 1,
};
