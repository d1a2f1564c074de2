import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../base/errors.ts';
import type { LogAck, LogBatch, LogFrame } from '../../protocol/control-plane.ts';
import { decodeLogFrame } from '../../protocol/wire/log-frame.ts';
import { SqliteRunLogs } from './run-log-sqlite.ts';

/** To the thread: frames as they came off the wire. From it: an answer per frame, after the commit. */
export type LogThreadRequest =
  | { readonly kind: 'append'; readonly id: number; readonly frame: LogFrame }
  | { readonly kind: 'forget'; readonly id: number; readonly runId: number }
  | { readonly kind: 'stop' };
export type LogThreadAnswer =
  | { readonly kind: 'acked'; readonly id: number; readonly ack: LogAck }
  | { readonly kind: 'forgotten'; readonly id: number }
  | { readonly kind: 'refused'; readonly id: number; readonly message: string }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string };

export interface LogThreadData {
  readonly statePath: string;
  readonly logsPath: string;
}

/** Batches in one commit: bounds the time of a commit when much is waiting. */
const COMMIT_BATCHES_MAX = 256;

type Append = Extract<LogThreadRequest, { kind: 'append' }>;
type Acked = Extract<LogThreadAnswer, { kind: 'acked' }>;

/**
 * The thread that owns bulk appends. It stores each frame as it comes, and commits as soon as none is left: a lone line waits
 * for nothing, a flood makes large commits, and decoded lines live no longer than it takes to store them.
 */
class LogThread {
  readonly #port: MessagePort;
  readonly #logs: SqliteRunLogs;
  /** In order of arrival, undecoded. */
  readonly #waiting: LogThreadRequest[] = [];
  /** Answers to what the open transaction holds. */
  #uncommitted: Acked[] = [];
  #scheduled = false;
  #stopped = false;

  constructor(port: MessagePort, data: LogThreadData) {
    this.#port = port;
    this.#logs = new SqliteRunLogs(data.statePath, data.logsPath);
  }

  start(): void {
    this.#port.on('message', (message: LogThreadRequest) => {
      this.#waiting.push(message);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#work();
    });
  }

  #work(): void {
    const now = Date.now();
    for (let taken = 0; taken < COMMIT_BATCHES_MAX; taken++) {
      const request = this.#next();
      if (request === undefined) break;
      if (request.kind === 'append') {
        this.#append(request, now);
        continue;
      }
      this.#commit();
      if (request.kind === 'stop') {
        this.#stop();
        return;
      }
      this.#forget(request.id, request.runId);
    }
    this.#commit();
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Also what came while this was at work. */
  #next(): LogThreadRequest | undefined {
    return (
      this.#waiting.shift() ?? (receiveMessageOnPort(this.#port)?.message as LogThreadRequest | undefined)
    );
  }

  #append({ id, frame }: Append, now: number): void {
    let batch: LogBatch;
    try {
      batch = decodeLogFrame(frame);
    } catch (error) {
      this.#answer({ kind: 'refused', id, message: messageOf(error) });
      return;
    }
    try {
      this.#uncommitted.push({ kind: 'acked', id, ack: this.#logs.append(batch, now) });
    } catch (error) {
      this.#fail(error);
      this.#answer({ kind: 'failed', id, message: messageOf(error) });
    }
  }

  #commit(): void {
    try {
      this.#logs.commit();
    } catch (error) {
      this.#fail(error);
      return;
    }
    for (const acked of this.#uncommitted) this.#answer(acked);
    this.#uncommitted = [];
  }

  /** Nothing of the open transaction is stored. */
  #fail(error: unknown): void {
    this.#logs.rollback();
    for (const { id } of this.#uncommitted) this.#answer({ kind: 'failed', id, message: messageOf(error) });
    this.#uncommitted = [];
  }

  /** A long log is deleted piece by piece, and appends go on in between. */
  #forget(id: number, runId: number): void {
    if (this.#stopped) return;
    try {
      if (this.#logs.forget(runId)) setImmediate(() => this.#forget(id, runId));
      else this.#answer({ kind: 'forgotten', id });
    } catch (error) {
      this.#answer({ kind: 'failed', id, message: messageOf(error) });
    }
  }

  #stop(): void {
    this.#stopped = true;
    this.#logs.close();
    this.#port.close();
  }

  #answer(message: LogThreadAnswer): void {
    this.#port.postMessage(message);
  }
}

if (parentPort !== null) new LogThread(parentPort, workerData as LogThreadData).start();
