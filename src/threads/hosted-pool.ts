import { caller } from '../base/concurrency/caller.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { entryFile } from '../base/program-files.ts';
import { effectUnknown, errorOf, type Failure } from './failure.ts';
import { FairQueue } from './fair-queue.ts';
import { HostChild, type HostChildOptions, type HostEnd } from './host-child.ts';
import { type HostAnswer, processMbMaxOf } from './host-messages.ts';
import { IsolatedHost } from './isolated-host.ts';
import { type Answer, type Call, type CallKind, decodeAnswer } from './messages/calls.ts';
import { PendingCall } from './pending-call.ts';
import type { RunOptions, WorkerPool, WorkerPoolOptions, WorkerPoolStats } from './worker-pool.ts';

export interface HostedPoolOptions extends WorkerPoolOptions {
  readonly threads: number;
  /** How far the host's processes yield to others, as `nice` counts; default 0. */
  readonly niceness?: number;
  /** The host, which starts with the first call, ends after this time without one. Default: it stays. */
  readonly idleMsMax?: number;
}

const STOP_GRACE_MS = 2_000;
const RESPAWN_MS_MIN = 100;
const RESPAWN_MS_MAX = 5_000;
const SWEEP_INTERVAL_MS = 500;
const MB = 1_048_576;

/** One host child with its queue. One caller has at most half of its places, and of the queue's. */
export class HostedPool implements WorkerPool {
  readonly #logger: Logger;
  readonly #childOptions: HostChildOptions;
  readonly #queueWaitMsMax: number;
  readonly #callTimeoutMs: number;
  readonly #runningMax: number;
  readonly #isolatedHosts: readonly IsolatedHost[];
  readonly #sweeper: NodeJS.Timeout;
  readonly #running = new Map<number, PendingCall>();
  readonly #queue: FairQueue;
  readonly #idleMsMax: number | null;
  #toIsolate: PendingCall[] = [];
  #host: HostChild | null = null;
  #hostReady = Promise.withResolvers<void>();
  #isReady = false;
  #startsFailed = 0;
  #busyAt = performance.now();
  #restarts = 0;
  #respawn: NodeJS.Timeout | undefined;
  #lastId = 0;
  #stopped = false;

  constructor(options: HostedPoolOptions) {
    const { threads, callsPerThread = 8, queueMax = 1_000, idleMsMax = null, heapMbMax = 256 } = options;
    this.#logger = options.logger;
    this.#queueWaitMsMax = options.queueWaitMsMax ?? 30_000;
    this.#callTimeoutMs = options.callTimeoutMs ?? 10_000;
    // A little more than the threads hold, so that a thread that becomes free finds its next call in the host.
    this.#runningMax = threads * callsPerThread + threads;
    this.#idleMsMax = idleMsMax;
    this.#queue = new FairQueue({
      atWorkMax: Math.ceil(this.#runningMax / 2),
      waitingMax: queueMax,
      callerWaitingMax: Math.ceil(queueMax / 2),
    });
    this.#childOptions = {
      entry: options.hostEntry ?? entryFile('src/threads/host'),
      execArgv: options.execArgv ?? [],
      niceness: options.niceness ?? 0,
      settings: {
        threads,
        callsPerThread,
        heapMbMax,
        processMbMax: processMbMaxOf(threads, heapMbMax),
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
      () => new IsolatedHost(this.#childOptions, (call) => this.#onAlone(call)),
    );
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
    // Nobody may be waiting when the pool stops before its host was ever ready.
    this.#hostReady.promise.catch(() => undefined);
  }

  async run<T extends Call>(call: T, options: RunOptions = {}): Promise<Answer<T['kind']>> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#stopped) throw new AppError('NOT_READY', 'The server is stopping');
    const by = caller.getStore() ?? null;
    if (this.#queue.isFull(by)) throw errorOf(BUSY);
    const kind: CallKind = call.kind;
    this.#lastId += 1;
    const pending = new PendingCall(this.#lastId, call, {
      timeoutMs: this.#callTimeoutMs,
      caller: by,
      ...options,
    });
    this.#startOnce();
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
      memory: { bytes: this.#host?.rssBytes ?? 0, bytesMax: this.#childOptions.settings.processMbMax * MB },
    };
  }

  ready(): Promise<void> {
    this.#startOnce();
    return this.#hostReady.promise;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#sweeper);
    clearTimeout(this.#respawn);
    const failure = { code: 'NOT_READY', message: 'The server is stopping' } as const;
    this.#hostReady.reject(new AppError(failure.code, failure.message));
    this.#queue.keep((call) => {
      call.fail(failure);
      return false;
    });
    for (const call of [...this.#toIsolate, ...this.#running.values()]) call.fail(failure);
    this.#toIsolate = [];
    await Promise.all([
      this.#host?.stop(STOP_GRACE_MS),
      ...this.#isolatedHosts.map((host) => host.stop(STOP_GRACE_MS)),
    ]);
  }

  #startOnce(): void {
    if (!this.#stopped && this.#host === null && this.#respawn === undefined) this.#start();
  }

  #start(): void {
    this.#respawn = undefined;
    const host: HostChild = new HostChild(this.#childOptions, {
      ready: () => {
        if (host === this.#host) this.#onReady();
      },
      answers: (answers) => {
        for (const answer of answers) this.#onAnswer(answer);
        this.#pump();
      },
      ended: (how) => {
        // Not one that was ended for its idleness.
        if (host === this.#host) this.#onEnded(how);
      },
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
      const call = this.#queue.take();
      if (!call) return;
      if (call.settled) {
        this.#queue.done(call);
        continue;
      }
      this.#running.set(call.id, call);
      this.#host?.send(call.shortRequest);
    }
  }

  #onAnswer(answer: HostAnswer): void {
    const call = this.#running.get(answer.id);
    if (!call) return;
    if (answer.type !== 'part') this.#running.delete(answer.id);
    if (answer.type === 'done' || answer.type === 'failed') this.#queue.done(call);
    if (answer.type === 'part') call.part(answer);
    else if (answer.type === 'done') call.done(answer.text);
    else if (answer.type === 'failed') this.#fail(call, answer);
    else if (answer.type === 'run_alone') this.#isolate([call]);
    else this.#queue.putBack(call.withText());
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
      if (call.once) call.fail(effectUnknown());
      if (call.settled) {
        this.#queue.done(call);
        continue;
      }
      call.waitingSince = now;
      this.#toIsolate.push(call);
    }
    this.#runIsolated();
  }

  #onAlone(call: PendingCall): void {
    this.#queue.done(call);
    this.#runIsolated();
    this.#pump();
  }

  /** One caller has one of these hosts, however many of its calls wait. */
  #runIsolated(): void {
    if (this.#stopped) return;
    this.#toIsolate = this.#keepUnsettled();
    for (const host of this.#isolatedHosts) {
      if (host.busy) continue;
      const served = new Set(this.#isolatedHosts.map((other) => other.caller));
      const next = this.#toIsolate.findIndex(({ caller: by }) => by === null || !served.has(by));
      const [call] = next === -1 ? [] : this.#toIsolate.splice(next, 1);
      if (call !== undefined) host.run(call);
    }
  }

  #keepUnsettled(): PendingCall[] {
    return this.#toIsolate.filter((call) => {
      if (call.settled) this.#queue.done(call);
      return !call.settled;
    });
  }

  #cancel(call: PendingCall): void {
    if (this.#running.has(call.id)) this.#host?.send({ type: 'cancel', id: call.id });
    else for (const host of this.#isolatedHosts) host.cancel(call.id);
  }

  #onEnded(how: HostEnd): void {
    const wasReady = this.#isReady;
    if (wasReady) this.#hostReady = Promise.withResolvers();
    this.#hostReady.promise.catch(() => undefined);
    this.#isReady = false;
    this.#host = null;
    this.#respawn = undefined;
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

  /** Refuses calls that have waited too long, and ends an idle host. */
  #sweep(): void {
    const oldest = performance.now() - this.#queueWaitMsMax;
    const keep = (call: PendingCall) => {
      if (call.waitingSince < oldest) call.fail(BUSY);
      return !call.settled;
    };
    this.#queue.keep(keep);
    this.#toIsolate.forEach(keep);
    this.#toIsolate = this.#keepUnsettled();
    if (this.#queue.length + this.#running.size > 0) this.#busyAt = performance.now();
    const isIdle = this.#idleMsMax !== null && performance.now() - this.#busyAt > this.#idleMsMax;
    if (!isIdle) return;
    this.#isReady = false;
    void this.#host?.stop(STOP_GRACE_MS);
    this.#host = null;
  }
}

const BUSY: Failure = {
  code: 'NOT_READY',
  message: 'Too many calls are waiting; try again',
  retryAfterSeconds: 1,
};
