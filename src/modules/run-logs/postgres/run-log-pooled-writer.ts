import { messageOf } from '../../../base/errors.ts';
import type { ServerMeter } from '../../../base/server-meter.ts';
import type { LogAck, LogBatch, LogFrame } from '../../../protocol/control-plane.ts';
import { decodeLogFrame } from '../../../protocol/wire/log/log-frame.ts';
import { CopyBuffer } from '../../../store/postgres/copy-buffer.ts';
import type { Store } from '../../../store/store.ts';
import { redactedBatch } from '../run-log-append.ts';
import { LogBacklog, limited, notStored } from '../run-log-backlog.ts';
import type { LogLimits } from '../run-log-limits.ts';
import { LogRate } from '../run-log-rate.ts';
import type { LogRetention } from '../run-log-retention.ts';
import type { RunSecrets } from '../run-secrets.ts';
import { pruneLogPartitions } from './run-log-partitions.ts';
import { commitLogs, forgetLogs } from './run-log-postgres.ts';

const COMMIT_BATCHES_MAX = 256;
const COMMIT_LINES_MAX = 10_000;
/** While one waits for the server another fills its buffers. */
const COMMITS_IN_FLIGHT_MAX = 2;

export interface PooledLogWriterDeps {
  readonly secrets: RunSecrets;
  readonly meter: ServerMeter;
  readonly limits: LogLimits;
}

interface Waiting {
  readonly batch: LogBatch;
  readonly bytes: number;
  readonly since: number;
  readonly resolve: (ack: LogAck) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Group commit over a pool: what arrives while commits are under way is in the next one. The batches of a run are in one commit
 * at a time, so that its lines stay in order.
 */
export class PooledLogWriter {
  readonly #store: Store;
  readonly #deps: PooledLogWriterDeps;
  readonly #rate: LogRate;
  readonly #backlog = new LogBacklog();
  #queue: Waiting[] = [];
  readonly #commits = new Set<Promise<void>>();
  /** Runs of the commits in flight. */
  readonly #busy = new Set<number>();
  /** Of commits that have ended. */
  readonly #buffers: CopyBuffer[] = [];
  #scheduled = false;

  constructor(store: Store, deps: PooledLogWriterDeps) {
    this.#store = store;
    this.#deps = deps;
    this.#rate = new LogRate(deps.limits);
  }

  async append(frame: LogFrame): Promise<LogAck> {
    const since = performance.now();
    const bytes = frame.bytes.byteLength;
    const decoded = decodeLogFrame(frame);
    if (!this.#backlog.take(bytes)) throw notStored();
    try {
      const batch = await this.#admitted(decoded, frame);
      return await new Promise((resolve, reject) => {
        this.#queue.push({ batch, bytes, since, resolve, reject });
        this.#schedule();
      });
    } finally {
      this.#backlog.give(bytes);
    }
  }

  async forget(runIds: readonly number[]): Promise<void> {
    await forgetLogs(this.#store, runIds).catch((cause: unknown) => {
      throw notStored(cause);
    });
  }

  async prune(retention: LogRetention): Promise<void> {
    await pruneLogPartitions(this.#store, retention).catch((cause: unknown) => {
      throw notStored(cause);
    });
  }

  async close(): Promise<void> {
    while (this.#queue.length > 0 || this.#commits.size > 0) {
      this.#pump();
      await Promise.all(this.#commits);
    }
  }

  async #admitted(batch: LogBatch, frame: LogFrame): Promise<LogBatch> {
    const { run_id, attempt } = batch.lease;
    const redactor = await this.#deps.secrets.redactorOf(run_id, attempt).catch((cause: unknown) => {
      throw notStored(cause);
    });
    const retryAfterSeconds = this.#rate.take(run_id, frame.bytes.byteLength, Date.now());
    if (retryAfterSeconds > 0) throw limited(retryAfterSeconds);
    return redactedBatch(batch, frame, redactor);
  }

  /** Frames of one turn of the event loop go together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#commits.size < COMMITS_IN_FLIGHT_MAX) {
      const taken = this.#take();
      if (taken.length === 0) return;
      const runIds = new Set(taken.map(({ batch }) => batch.lease.run_id));
      for (const runId of runIds) this.#busy.add(runId);
      const commit = this.#commit(taken).finally(() => {
        for (const runId of runIds) this.#busy.delete(runId);
        this.#commits.delete(commit);
        this.#pump();
      });
      this.#commits.add(commit);
    }
  }

  /** Of runs that no commit in flight has. */
  #take(): Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    let lines = 0;
    for (const entry of this.#queue) {
      const full =
        taken.length > 0 &&
        (taken.length >= COMMIT_BATCHES_MAX || lines + entry.batch.lines.length > COMMIT_LINES_MAX);
      // Once it is full nothing more is taken, or a run's later batch would go before its earlier one.
      if (full || this.#busy.has(entry.batch.lease.run_id)) {
        left.push(entry);
        if (full) lines = Number.POSITIVE_INFINITY;
        continue;
      }
      taken.push(entry);
      lines += entry.batch.lines.length;
    }
    this.#queue = left;
    return taken;
  }

  async #commit(taken: readonly Waiting[]): Promise<void> {
    const { limits } = this.#deps;
    const startedAt = performance.now();
    const buffer = this.#buffers.pop() ?? new CopyBuffer();
    try {
      const batches = taken.map((entry) => entry.batch);
      const outcomes = await commitLogs(this.#store, batches, limits.runBytesMax, buffer);
      this.#buffers.push(buffer);
      this.#count(taken, outcomes, startedAt);
      for (const [index, { batch, resolve }] of taken.entries()) {
        const { run_id, attempt } = batch.lease;
        const outcome = outcomes[index];
        if (outcome === undefined) continue;
        const { dropped: _, ...said } = outcome;
        resolve({ run_id, attempt, window_bytes: this.#rate.windowOf(run_id), ...said });
      }
    } catch (cause) {
      for (const entry of taken) entry.reject(notStored(messageOf(cause)));
    }
  }

  #count(
    taken: readonly Waiting[],
    outcomes: Awaited<ReturnType<typeof commitLogs>>,
    startedAt: number,
  ): void {
    const { meter } = this.#deps;
    const now = performance.now();
    let [lines, bytes, dropped] = [0, 0, 0];
    for (const [index, { batch, ...entry }] of taken.entries()) {
      const outcome = outcomes[index];
      meter.observe('log_ingest_lag', (now - entry.since) / 1_000);
      if (outcome?.outcome !== 'ACCEPTED' || outcome.resend_from > 0) continue;
      lines += batch.lines.length - outcome.dropped;
      bytes += entry.bytes;
      dropped += outcome.dropped;
    }
    meter.count('log_lines', lines);
    meter.count('log_bytes', bytes);
    if (dropped > 0) meter.count('log_lines_dropped', dropped);
    meter.observe('log_commit', (now - startedAt) / 1_000);
  }
}
