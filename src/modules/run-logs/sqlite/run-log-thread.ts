import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type CrashPoint, createCrashPoint } from '../../../base/crash-point.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import { saveCompiledCode } from '../../../base/process/compile-cache.ts';
import type { LogBatch, LogFrame } from '../../../protocol/control-plane.ts';
import { decodeLogFrame } from '../../../protocol/wire/log/log-frame.ts';
import { redactedBatch } from '../run-log-append.ts';
import { LogRate } from '../run-log-rate.ts';
import { RunRedactors } from '../run-secrets.ts';
import { SqliteRunLogs } from './run-log-sqlite.ts';
import type {
  LogCommit,
  LogThreadAnswer,
  LogThreadData,
  LogThreadMessage,
  LogThreadRequest,
} from './run-log-thread-messages.ts';

/** Of one commit: bounds its time, and the wait of those in it, when much is waiting. */
const COMMIT_FRAMES_MAX = 4_096;
const COMMIT_BYTES_MAX = 4 * 1_048_576;

interface Append {
  readonly id: number;
  readonly frame: LogFrame;
}

type Request = Exclude<LogThreadRequest, { kind: 'append' }>;

/**
 * The thread that owns bulk appends. It stores each frame as it comes, and commits as soon as none is left: a lone line waits
 * for nothing, a flood makes large commits, and decoded lines live no longer than it takes to store them. Frames of a run whose
 * secrets it does not know wait for them, and no others wait for those.
 */
class LogThread {
  readonly #port: MessagePort;
  readonly #logs: SqliteRunLogs;
  readonly #rate: LogRate;
  readonly #redactors = new RunRedactors();
  readonly #crashPoint: CrashPoint;
  /** In order of arrival, undecoded. */
  readonly #frames: Append[] = [];
  #taken = 0;
  readonly #requests: Request[] = [];
  /** By `run/attempt`: frames that wait for its secrets, in order. */
  readonly #parked = new Map<string, Append[]>();
  /** Events to send after the commit, those that do not depend on it included. */
  #answers: LogThreadAnswer[] = [];
  #stored = { lines: 0, bytes: 0, dropped: 0 };
  #scheduled = false;
  #stopping = false;
  #closed = false;

  constructor(port: MessagePort, data: LogThreadData) {
    this.#port = port;
    this.#logs = new SqliteRunLogs(data.statePath, data.logsPath, data.limits.runBytesMax, data.cacheMb);
    this.#rate = new LogRate(data.limits);
    this.#crashPoint = createCrashPoint(data.crashAt);
  }

  start(): void {
    this.#port.on('message', (message: LogThreadRequest) => {
      this.#receive(message);
      this.#schedule();
    });
  }

  #receive(message: LogThreadRequest): void {
    if (message.kind !== 'append') this.#requests.push(message);
    else
      for (const [index, frame] of message.frames.entries())
        this.#frames.push({ id: message.firstId + index, frame });
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#work();
    });
  }

  #work(): void {
    if (this.#closed) return;
    const now = Date.now();
    let bytes = 0;
    for (let taken = 0; taken < COMMIT_FRAMES_MAX && bytes < COMMIT_BYTES_MAX; taken++) {
      const append = this.#next();
      if (append === undefined) break;
      bytes += append.frame.bytes.byteLength;
      this.#append(append, now);
    }
    this.#commit(now);
    for (const request of this.#requests.splice(0)) this.#do(request);
    if (this.#hasFrames() || this.#requests.length > 0) this.#schedule();
    else if (this.#stopping && this.#parked.size === 0) this.#close();
  }

  /** Also what came while this was at work. */
  #next(): Append | undefined {
    while (!this.#hasFrames()) {
      this.#frames.length = 0;
      this.#taken = 0;
      const message = receiveMessageOnPort(this.#port)?.message as LogThreadRequest | undefined;
      if (message === undefined) return undefined;
      this.#receive(message);
    }
    return this.#frames[this.#taken++];
  }

  #hasFrames(): boolean {
    return this.#taken < this.#frames.length;
  }

  #do(request: Request): void {
    const { pruning } = this.#logs;
    if (request.kind === 'secrets') this.#unpark(request);
    else if (request.kind === 'stop') this.#stopping = true;
    else if (request.kind === 'forget') {
      const left = [...request.runIds];
      this.#repeat(request.id, () => pruning.forget(left) || pruning.shrink());
    } else if (request.kind === 'prune') {
      const sweep = pruning.begin(request.retention);
      this.#repeat(request.id, () => pruning.step(sweep) || pruning.shrink());
    } else request satisfies never;
  }

  #append(append: Append, now: number): void {
    const { id, frame } = append;
    let batch: LogBatch;
    try {
      batch = decodeLogFrame(frame);
    } catch (error) {
      const details = error instanceof AppError ? (error.details ?? []) : [];
      this.#answers.push({ kind: 'refused', id, message: messageOf(error), details });
      return;
    }
    const { run_id, attempt } = batch.lease;
    const redactor = this.#redactors.get(run_id, attempt);
    if (redactor === null) {
      this.#park(append, run_id, attempt);
      return;
    }
    const retryAfterSeconds = this.#rate.take(run_id, frame.bytes.byteLength, now);
    if (retryAfterSeconds > 0) this.#answers.push({ kind: 'limited', id, retryAfterSeconds });
    else this.#store(id, frame, redactedBatch(batch, frame, redactor), now);
  }

  #store(id: number, frame: LogFrame, batch: LogBatch, now: number): void {
    const { run_id, attempt } = batch.lease;
    try {
      const { dropped, ...outcome } = this.#logs.append(batch, now);
      const window_bytes = this.#rate.windowOf(run_id);
      this.#answers.push({ kind: 'acked', id, ack: { run_id, attempt, window_bytes, ...outcome } });
      if (outcome.outcome !== 'ACCEPTED' || outcome.resend_from > 0) return;
      this.#stored.lines += batch.lines.length - dropped;
      this.#stored.bytes += frame.bytes.byteLength;
      this.#stored.dropped += dropped;
    } catch (error) {
      this.#fail(error);
      this.#answers.push({ kind: 'failed', id, message: messageOf(error) });
    }
  }

  #park(append: Append, runId: number, attempt: number): void {
    const key = `${runId}/${attempt}`;
    const parked = this.#parked.get(key);
    if (parked !== undefined) {
      parked.push(append);
      return;
    }
    this.#parked.set(key, [append]);
    this.#tell({ kind: 'secrets_wanted', runId, attempt });
  }

  #unpark({ runId, attempt, secrets }: Extract<Request, { kind: 'secrets' }>): void {
    const key = `${runId}/${attempt}`;
    const parked = this.#parked.get(key) ?? [];
    this.#parked.delete(key);
    if (secrets === null) {
      this.#send(
        parked.map(({ id }) => ({ kind: 'failed', id, message: 'The secrets of the run are unavailable' })),
      );
      return;
    }
    this.#redactors.set(runId, attempt, secrets);
    // Before those that came later.
    this.#frames.splice(0, this.#taken, ...parked);
    this.#taken = 0;
  }

  #commit(now: number): void {
    const answers = this.#answers;
    const stored = this.#stored;
    const isStored = stored.lines + stored.dropped > 0;
    this.#answers = [];
    this.#stored = { lines: 0, bytes: 0, dropped: 0 };
    const startedAt = performance.now();
    if (isStored) this.#crashPoint('log-append.uncommitted');
    try {
      this.#logs.commit(now);
    } catch (error) {
      this.#answers = answers;
      this.#fail(error);
      this.#send(this.#answers.splice(0));
      return;
    }
    if (isStored) this.#crashPoint('log-append.committed');
    const seconds = (performance.now() - startedAt) / 1_000;
    this.#send(answers, isStored ? { ...stored, seconds } : null);
  }

  /** Nothing of the open transaction is stored: what it would have acknowledged has failed. */
  #fail(error: unknown): void {
    this.#logs.rollback();
    this.#stored = { lines: 0, bytes: 0, dropped: 0 };
    const message = messageOf(error);
    this.#answers = this.#answers.map((answer) =>
      answer.kind === 'acked' ? { kind: 'failed', id: answer.id, message } : answer,
    );
  }

  /** Long work is done in pieces, with appends in between. */
  #repeat(id: number, step: () => boolean): void {
    try {
      if (!this.#closed && step()) setImmediate(() => this.#repeat(id, step));
      else this.#send([{ kind: 'done', id }]);
    } catch (error) {
      this.#send([{ kind: 'failed', id, message: messageOf(error) }]);
    }
  }

  #close(): void {
    this.#closed = true;
    this.#logs.close();
    this.#port.close();
  }

  #send(answers: readonly LogThreadAnswer[], commit: LogCommit | null = null): void {
    if (answers.length > 0) this.#tell({ kind: 'answers', answers, commit });
  }

  #tell(message: LogThreadMessage): void {
    this.#port.postMessage(message);
  }
}

if (parentPort !== null) new LogThread(parentPort, workerData as LogThreadData).start();
saveCompiledCode();
