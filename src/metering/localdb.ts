import type { MetricPoint, MetricsBackend } from './backend.ts';
import { openMetricsFile } from './localdb-file.ts';
import { readLocaldb } from './localdb-read.ts';
import { LocaldbWriter, PRUNED_RUNS_MAX } from './localdb-write.ts';

/** A transaction blocks its thread: about 20 ms for this many points. */
const GROUP_POINTS_MAX = 4_000;
const PRUNE_EVERY_MS = 3_600_000;

export interface LocaldbOptions {
  readonly path: string;
  /** Runs that are older are removed, in short passes: when it opens, and every hour as points come. */
  readonly retentionDays: number;
  readonly clock: { now(): number };
}

interface Waiting {
  readonly points: readonly MetricPoint[];
  readonly done: (error: Error | null) => void;
}

/**
 * Metrics in a SQLite file of their own. Calls block the thread that makes them, the control plane's: writes that come in one
 * turn of the event loop share a transaction, and a long queue gives way to other work between two. `ForeignFileError` where
 * the file is a database of something else.
 */
export function openLocaldb(options: LocaldbOptions): MetricsBackend {
  return new Localdb(options);
}

class Localdb implements MetricsBackend {
  readonly #options: LocaldbOptions;
  readonly #database: ReturnType<typeof openMetricsFile>;
  readonly #writer: LocaldbWriter;
  readonly stored: NonNullable<MetricsBackend['stored']>;
  #waiting: Waiting[] = [];
  #turn: NodeJS.Immediate | null = null;
  #prunedAt = Number.NEGATIVE_INFINITY;

  constructor(options: LocaldbOptions) {
    this.#options = options;
    this.#database = openMetricsFile(options.path);
    this.#writer = new LocaldbWriter(this.#database);
    this.stored = {
      ...readLocaldb(this.#database),
      removeRun: (runId) => this.#writer.removeRun(runId),
    };
    this.#prune();
  }

  write(points: readonly MetricPoint[]): Promise<void> {
    if (points.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ points, done: (error) => (error === null ? resolve() : reject(error)) });
      this.#turn ??= setImmediate(() => this.#flush());
    });
  }

  async close(): Promise<void> {
    while (this.#waiting.length > 0) this.#flush();
    if (this.#turn !== null) clearImmediate(this.#turn);
    if (this.#database.isOpen) this.#database.close();
  }

  #flush(): void {
    this.#turn = null;
    const group = this.#nextGroup();
    if (!this.#store(group)) {
      // One that cannot be stored must not take the others with it.
      for (const one of group) this.#store([one], true);
    }
    this.#prune();
    if (this.#waiting.length > 0) this.#turn = setImmediate(() => this.#flush());
  }

  #nextGroup(): Waiting[] {
    let [count, size] = [0, 0];
    for (const { points } of this.#waiting) {
      size += points.length;
      if (count > 0 && size > GROUP_POINTS_MAX) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  #store(group: readonly Waiting[], last = group.length === 1): boolean {
    let failure: Error | null = null;
    try {
      this.#writer.write(group.flatMap(({ points }) => points));
    } catch (error) {
      if (!last) return false;
      failure = error as Error;
    }
    for (const { done } of group) done(failure);
    return true;
  }

  #prune(): void {
    const { clock, retentionDays } = this.#options;
    const now = clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    try {
      const removed = this.#writer.prune(now, retentionDays);
      if (removed < PRUNED_RUNS_MAX) this.#prunedAt = now;
    } catch {
      // Another process has the file; nothing is lost by pruning later.
      this.#prunedAt = now;
    }
  }
}
