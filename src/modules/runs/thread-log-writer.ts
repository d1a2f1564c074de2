import { Worker } from 'node:worker_threads';
import { AppError } from '../../base/errors.ts';
import type { LogAck, LogFrame } from '../../protocol/control-plane.ts';
import { LogBacklog, notStored } from './log-backlog.ts';
import type { LogThreadAnswer, LogThreadData, LogThreadRequest } from './run-log-thread.ts';

const RESTART_MIN_MS = 50;
const RESTART_MAX_MS = 5_000;

type StartThread = (data: LogThreadData) => Worker;

export function startLogThread(data: LogThreadData): Worker {
  return new Worker(new URL('./run-log-thread.ts', import.meta.url), { workerData: data });
}

interface Waiting {
  readonly resolve: (ack: LogAck | null) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Hands frames, undecoded, to the writer thread. Modes: working ↔ restarting → closed. A thread that dies is replaced, sooner
 * the first time than when it dies again at once; its frames, and those that come meanwhile, are refused, to be sent again.
 */
export class ThreadLogWriter {
  readonly #data: LogThreadData;
  readonly #startThread: StartThread;
  readonly #backlog = new LogBacklog();
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null;
  #restart: NodeJS.Timeout | null = null;
  #restartMs = RESTART_MIN_MS;
  #nextId = 1;
  #closed: Promise<void> | null = null;

  /** `startThread` is for tests, which kill what it started. */
  constructor(data: LogThreadData, startThread: StartThread = startLogThread) {
    this.#data = data;
    this.#startThread = startThread;
    this.#worker = this.#start();
  }

  async append(frame: LogFrame): Promise<LogAck> {
    return this.#backlog.hold(frame.bytes.byteLength, async () => {
      // A copy of its own, which moves to the thread: the frame may be a view of a much larger buffer.
      const bytes = new Uint8Array(frame.bytes);
      const ack = await this.#ask(
        (id) => ({ kind: 'append', id, frame: { ...frame, bytes } }),
        [bytes.buffer],
      );
      if (ack === null) throw notStored();
      return ack;
    });
  }

  async forget(runId: number): Promise<void> {
    await this.#ask((id) => ({ kind: 'forget', id, runId }));
  }

  /** What was appended before is stored; what comes after is refused. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #ask(request: (id: number) => LogThreadRequest, moved: ArrayBuffer[] = []): Promise<LogAck | null> {
    return new Promise((resolve, reject) => {
      if (this.#worker === null || this.#closed !== null) return reject(notStored());
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(request(id), moved);
    });
  }

  async #close(): Promise<void> {
    if (this.#restart !== null) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'stop' } satisfies LogThreadRequest);
    await ended;
  }

  #start(): Worker {
    const worker = this.#startThread(this.#data);
    worker.on('message', (answer: LogThreadAnswer) => this.#settle(answer));
    // The exit follows, and says it all.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#worker = null;
      for (const waiting of this.#waiting.values()) waiting.reject(notStored());
      this.#waiting.clear();
      if (this.#closed !== null) return;
      this.#restart = setTimeout(() => {
        this.#worker = this.#start();
      }, this.#restartMs);
      this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MAX_MS);
    });
    return worker;
  }

  #settle(answer: LogThreadAnswer): void {
    this.#restartMs = RESTART_MIN_MS;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === 'acked') waiting?.resolve(answer.ack);
    else if (answer.kind === 'forgotten') waiting?.resolve(null);
    else if (answer.kind === 'refused') waiting?.reject(new AppError('VALIDATION_ERROR', answer.message));
    else waiting?.reject(notStored(answer.message));
  }
}
