import type { EventEmitter } from 'node:events';
import { BroadcastChannel, type Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { threadEnvironment } from '../base/process/compile-cache.ts';
import {
  CONTROL_CHANNEL,
  type HostSettings,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadControl,
  type ThreadPart,
  type WorkerData,
} from './host-messages.ts';
import { CALL_KINDS } from './messages/calls.ts';
import { Thread } from './thread.ts';

export interface ThreadPoolPorts {
  /** A thread takes calls. */
  added(): void;
  part(part: ThreadPart): void;
  /** All threads have gone, and none comes: they failed before they were ready. */
  emptied(): void;
}

/** The threads of one Piscina pool. The caller chooses the thread of each call, and the pool's own queue stays empty. */
export class ThreadPool {
  readonly threads = new Set<Thread>();
  readonly #settings: HostSettings;
  readonly #ports: ThreadPoolPorts;
  readonly #pool: Piscina<ThreadCall, ThreadAnswer | null>;
  readonly #control = new BroadcastChannel(CONTROL_CHANNEL);
  /** The thread that the next call is for. */
  #target: Worker | null = null;
  #ended = false;

  constructor(settings: HostSettings, claims: SharedArrayBuffer, ports: ThreadPoolPorts) {
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
      workerData: { settings, claims } satisfies WorkerData,
      env: threadEnvironment(),
      loadBalancer: (_task, workers) => {
        const target = workers.find((worker) => worker.id === this.#target?.threadId);
        if (target) this.#target = null;
        return target ?? null;
      },
    });
    // A thread that ends between calls is replaced by the pool; nothing was lost.
    this.#pool.on('error', () => undefined);
    this.#pool.on('message', (part: ThreadPart) => ports.part(part));
    this.#pool.on('workerCreate', (created: { id: number }) => this.#onThread(created.id));
    this.#pool.on('workerDestroy', () => {
      setImmediate(() => {
        if (!this.#ended && this.#pool.threads.length === 0) ports.emptied();
      });
    });
  }

  /** Null where the thread has just ended. Rejects when it ends before the answer; the abort of `signal` ends it. */
  run({ worker }: Thread, call: ThreadCall, signal: EventEmitter): Promise<ThreadAnswer | null> | null {
    this.#target = worker;
    const filename = this.#settings.entries[CALL_KINDS[call.kind].entry];
    const answer = this.#pool.run(call, { filename, signal });
    if (this.#target === null) return answer;
    // The call waits in the pool's queue, since its thread is not there any more.
    this.#target = null;
    answer.catch(() => undefined);
    signal.emit('abort');
    return null;
  }

  /** Says something to every thread. */
  broadcast(control: ThreadControl): void {
    this.#control.postMessage(control);
  }

  /** Lets the threads close what they hold open, and ends them. */
  async stop(graceMs: number): Promise<void> {
    this.#ended = true;
    this.broadcast({ type: 'close' });
    await new Promise((resolve) => setTimeout(resolve, graceMs));
    this.#control.close();
    await this.#pool.destroy();
  }

  #onThread(id: number): void {
    const worker = this.#pool.threads.find((candidate) => candidate.threadId === id);
    if (!worker) return;
    const thread = new Thread(worker);
    worker.once('exit', () => {
      thread.gone = true;
      this.threads.delete(thread);
    });
    // The pool announces a thread a moment before it can take calls.
    setImmediate(() => {
      if (thread.gone) return;
      this.threads.add(thread);
      this.#ports.added();
    });
  }
}
