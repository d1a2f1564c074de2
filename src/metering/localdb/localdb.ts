import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../../base/process/compile-cache.ts';
import { entryFile } from '../../base/program-files.ts';
import type { MetricPoint, MetricsBackend, StoredMetrics } from '../backend.ts';
import { packPoints } from '../packed-points.ts';
import { readMetrics } from '../stored-metrics.ts';
import { ForeignFileError } from './localdb-file.ts';
import { LOCALDB_SQL, PRUNED_RUNS_MAX } from './localdb-store.ts';
import type { LocaldbAnswer, LocaldbRequest, LocaldbThreadData } from './localdb-thread.ts';

const PRUNE_EVERY_MS = 3_600_000;
/** Points that wait for their commit: beyond it executors wait too, with what they hold. */
const WAITING_POINTS_MAX = 100_000;

export interface LocaldbOptions {
  readonly path: string;
  /** Runs that are older are removed and their pages given back, in short passes: when it opens, and every hour as points come. */
  readonly retentionDays: number;
  readonly clock: { now(): number };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

type Unnumbered<T> = T extends { readonly id: number } ? Omit<T, 'id'> : never;

/**
 * Metrics in a SQLite file of their own, which a thread owns: no call blocks the caller's. Rejects with `ForeignFileError` where
 * the file is a database of something else, with any other error where it cannot be opened.
 */
export async function openLocaldb(options: LocaldbOptions): Promise<MetricsBackend> {
  const localdb = new Localdb(options);
  await localdb.opened;
  return localdb;
}

/** Modes: opening → working → closed. A thread that dies is started anew by the next call; what it held is rejected. */
class Localdb implements MetricsBackend {
  readonly durable = true;
  readonly opened: Promise<void>;
  readonly stored: StoredMetrics;
  readonly #options: LocaldbOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 1;
  #waitingPoints = 0;
  #prunedAt: number;
  #closed: Promise<void> | null = null;

  constructor(options: LocaldbOptions) {
    this.#options = options;
    this.#prunedAt = options.clock.now();
    this.opened = this.#start().then(() => this.#prune());
    this.stored = {
      ...readMetrics(
        LOCALDB_SQL,
        <Row>(sql: string, values: readonly (number | string)[]) =>
          this.#ask({ kind: 'query', sql, values }) as Promise<Row[]>,
      ),
      removeRuns: async (runIds) => {
        await this.#ask({ kind: 'remove', runIds });
      },
    };
  }

  async write(points: readonly MetricPoint[]): Promise<void> {
    if (points.length === 0) return;
    if (this.#waitingPoints > 0 && this.#waitingPoints + points.length > WAITING_POINTS_MAX)
      throw new Error('The metrics file is too slow for what comes: too many points wait');
    this.#waitingPoints += points.length;
    try {
      await this.#ask({ kind: 'write', points: packPoints(points) });
    } finally {
      this.#waitingPoints -= points.length;
    }
    if (this.#options.clock.now() - this.#prunedAt >= PRUNE_EVERY_MS) void this.#prune();
  }

  /** What was written before is stored; what comes after is rejected. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'stop' } satisfies LocaldbRequest);
    await ended;
  }

  async #prune(): Promise<void> {
    const { clock, retentionDays: days } = this.#options;
    this.#prunedAt = clock.now();
    try {
      for (;;) {
        const removed = await this.#ask({ kind: 'prune', now: this.#prunedAt, days });
        if (Number(removed) < PRUNED_RUNS_MAX) break;
      }
      while (await this.#ask({ kind: 'shrink' }));
    } catch {
      // Another process has the file, or it closes; nothing is lost by pruning later.
    }
  }

  async #ask(request: Unnumbered<LocaldbRequest>): Promise<unknown> {
    if (this.#closed !== null) throw new Error('The metrics file is closed');
    if (this.#worker === null) await this.#start();
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker?.postMessage({ ...request, id });
    });
  }

  #start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const workerData: LocaldbThreadData = { path: this.#options.path };
    const worker = new Worker(entryFile('src/metering/localdb/localdb-thread'), {
      workerData,
      env: threadEnvironment(),
    });
    this.#worker = worker;
    worker.on('message', (answer: LocaldbAnswer) => {
      if (answer.kind === 'opened') resolve();
      else if (answer.kind === 'unopened')
        reject(answer.foreign ? new ForeignFileError() : new Error(answer.message));
      else this.#settle(answer);
    });
    // The exit follows, and says it all.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      const gone = new Error('The thread of the metrics file has ended');
      reject(gone);
      if (this.#worker === worker) this.#worker = null;
      for (const waiting of this.#waiting.values()) waiting.reject(gone);
      this.#waiting.clear();
    });
    return promise;
  }

  #settle(answer: Extract<LocaldbAnswer, { readonly id: number }>): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.kind === 'done') waiting?.resolve(answer.value);
    else waiting?.reject(new Error(answer.message));
  }
}
