import { Worker } from 'node:worker_threads';
import { AppError } from '../../../base/errors.ts';
import { threadEnvironment } from '../../../base/process/compile-cache.ts';
import { entryFile } from '../../../base/program-files.ts';
import type { ServerMeter } from '../../../base/server-meter.ts';
import type { LogAck, LogFrame } from '../../../protocol/control-plane.ts';
import { LogBacklog, limited, notStored } from '../run-log-backlog.ts';
import type { LogRetention } from '../run-log-retention.ts';
import type { RunSecrets } from '../run-secrets.ts';
import type {
  LogCommit,
  LogThreadAnswer,
  LogThreadData,
  LogThreadMessage,
  LogThreadRequest,
} from './run-log-thread-messages.ts';

const RESTART_MIN_MS = 50;
const RESTART_MAX_MS = 5_000;
/** An idle thread ends after this time: it holds 13 MB. */
const IDLE_MS = 60_000;
/** Frames of one message to the thread: it can begin while more come. */
const MESSAGE_FRAMES_MAX = 256;

type StartThread = (data: LogThreadData) => Worker;

export function startLogThread(data: LogThreadData): Worker {
  return new Worker(entryFile('src/modules/run-logs/sqlite/run-log-thread'), {
    workerData: data,
    env: threadEnvironment(),
  });
}

export interface ThreadLogWriterDeps {
  readonly secrets: RunSecrets;
  readonly meter: ServerMeter;
  /** False where there is surely nothing to prune. */
  readonly mayBeDue: (retention: LogRetention) => Promise<boolean>;
  /** For tests, which kill what it started. */
  readonly startThread?: StartThread;
  /** Default `IDLE_MS`. */
  readonly idleMs?: number;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
  readonly resolve: (ack: LogAck | null) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Hands frames, undecoded, to the writer thread: those of one turn of the event loop in one message, answered after their commit
 * in one. Modes: idle (no thread) ↔ working ↔ restarting → closed. A thread that dies is replaced, sooner the first time than when
 * it dies again at once; its frames, and those that come meanwhile, are refused, to be sent again.
 */
export class ThreadLogWriter {
  readonly #data: LogThreadData;
  readonly #deps: ThreadLogWriterDeps;
  readonly #backlog = new LogBacklog();
  readonly #waiting = new Map<number, Waiting>();
  /** Frames of this turn; the first has `#outboxId`, the others those after it. */
  #outbox: LogFrame[] = [];
  #outboxId = 1;
  #flushing = false;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  /** Of the last thread that was asked to end. */
  #ended: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | null = null;
  #restartMs = RESTART_MIN_MS;
  #nextId = 1;
  #closed: Promise<void> | null = null;

  constructor(data: LogThreadData, deps: ThreadLogWriterDeps) {
    this.#data = data;
    this.#deps = deps;
  }

  append(frame: LogFrame): Promise<LogAck> {
    const { byteLength } = frame.bytes;
    return new Promise((resolve, reject) => {
      if (this.#ready() === null || !this.#backlog.take(byteLength)) return reject(notStored());
      if (this.#outbox.length === 0) this.#outboxId = this.#nextId;
      const id = this.#nextId++;
      const since = performance.now();
      const resolveAck = (ack: LogAck | null) => (ack === null ? reject(notStored()) : resolve(ack));
      this.#waiting.set(id, { bytes: byteLength, since, resolve: resolveAck, reject });
      this.#outbox.push(frame);
      if (this.#outbox.length >= MESSAGE_FRAMES_MAX) this.#flush();
      else if (!this.#flushing) {
        this.#flushing = true;
        setImmediate(() => {
          this.#flushing = false;
          this.#flush();
        });
      }
    });
  }

  async forget(runIds: readonly number[]): Promise<void> {
    await this.#ask((id) => ({ kind: 'forget', id, runIds }));
  }

  /** Most sweeps find nothing: the thread, which holds 19 MB for a minute and more, is not started for them. */
  async prune(retention: LogRetention): Promise<void> {
    if (!(await this.#deps.mayBeDue(retention))) return;
    await this.#ask((id) => ({ kind: 'prune', id, retention }));
  }

  /** What was appended before is stored; what comes after is refused. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  #ask(request: (id: number) => LogThreadRequest): Promise<LogAck | null> {
    return new Promise((resolve, reject) => {
      const worker = this.#ready();
      if (worker === null) return reject(notStored());
      this.#flush();
      const id = this.#nextId++;
      this.#waiting.set(id, { bytes: 0, since: performance.now(), resolve, reject });
      worker.postMessage(request(id));
    });
  }

  /** The frames move to the thread in one copy of their own: they may be views of much larger buffers. */
  #flush(): void {
    const frames = this.#outbox;
    if (frames.length === 0) return;
    this.#outbox = [];
    const copy = Buffer.allocUnsafeSlow(frames.reduce((sum, frame) => sum + frame.bytes.byteLength, 0));
    let at = 0;
    const moved = frames.map(({ bytes, ...frame }): LogFrame => {
      copy.set(bytes, at);
      at += bytes.byteLength;
      return { ...frame, bytes: new Uint8Array(copy.buffer, at - bytes.byteLength, bytes.byteLength) };
    });
    const request: LogThreadRequest = { kind: 'append', firstId: this.#outboxId, frames: moved };
    this.#worker?.postMessage(request, [copy.buffer]);
  }

  async #close(): Promise<void> {
    if (this.#restart !== null) clearTimeout(this.#restart);
    this.#flush();
    this.#end();
    await this.#ended;
  }

  /** The thread, started where there is none; null while one is awaited again, and after the close. */
  #ready(): Worker | null {
    clearTimeout(this.#idle);
    if (this.#closed !== null) return null;
    if (this.#worker === null && this.#restart === null) this.#worker = this.#start();
    return this.#worker;
  }

  #sleep(): void {
    if (this.#waiting.size > 0) return;
    this.#end();
    this.#worker = null;
  }

  /** Earlier requests are carried out before it ends. */
  #end(): void {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === null) return;
    this.#ended = new Promise((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'stop' } satisfies LogThreadRequest);
  }

  #start(): Worker {
    const { startThread = startLogThread } = this.#deps;
    const worker = startThread(this.#data);
    worker.on('message', (message: LogThreadMessage) => {
      if (message.kind === 'answers') this.#settleAll(message.answers, message.commit);
      else void this.#tellSecrets(worker, message.runId, message.attempt);
    });
    // The exit follows, and says it all.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      // An idle one was asked to end, and nothing waits for it.
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#outbox = [];
      for (const { bytes, reject } of this.#waiting.values()) {
        this.#backlog.give(bytes);
        reject(notStored());
      }
      this.#waiting.clear();
      if (this.#closed !== null) return;
      this.#restart = setTimeout(() => {
        this.#restart = null;
        this.#worker = this.#start();
      }, this.#restartMs);
      this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MAX_MS);
    });
    return worker;
  }

  async #tellSecrets(worker: Worker, runId: number, attempt: number): Promise<void> {
    const secrets = await this.#deps.secrets.secretsOf(runId, attempt).catch(() => null);
    worker.postMessage({ kind: 'secrets', runId, attempt, secrets } satisfies LogThreadRequest);
  }

  #settleAll(answers: readonly LogThreadAnswer[], commit: LogCommit | null): void {
    const { meter } = this.#deps;
    this.#restartMs = RESTART_MIN_MS;
    clearTimeout(this.#idle);
    const now = performance.now();
    for (const answer of answers) {
      const waiting = this.#waiting.get(answer.id);
      if (waiting === undefined) continue;
      this.#waiting.delete(answer.id);
      this.#backlog.give(waiting.bytes);
      if (answer.kind === 'acked') meter.observe('log_ingest_lag', (now - waiting.since) / 1_000);
      settle(waiting, answer);
    }
    if (this.#waiting.size === 0) {
      const { idleMs = IDLE_MS } = this.#deps;
      this.#idle = setTimeout(() => this.#sleep(), idleMs).unref();
    }
    if (commit === null) return;
    meter.count('log_lines', commit.lines);
    meter.count('log_bytes', commit.bytes);
    if (commit.dropped > 0) meter.count('log_lines_dropped', commit.dropped);
    meter.observe('log_commit', commit.seconds);
  }
}

function settle({ resolve, reject }: Waiting, answer: LogThreadAnswer): void {
  if (answer.kind === 'acked') resolve(answer.ack);
  else if (answer.kind === 'done') resolve(null);
  else if (answer.kind === 'refused') {
    const { message, details } = answer;
    reject(new AppError('VALIDATION_ERROR', message, details.length === 0 ? {} : { details }));
  } else if (answer.kind === 'limited') reject(limited(answer.retryAfterSeconds));
  else reject(notStored(answer.message));
}
