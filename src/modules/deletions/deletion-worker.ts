import type { Clock } from '../../base/clock.ts';
import { WakeSignal } from '../../base/concurrency/wake-signal.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Store, Tx } from '../../store/store.ts';
import {
  DELETION_KINDS,
  DELETIONS_CHANNEL,
  type DeletionKind,
  deleteJobRunsOf,
  deleteLeft,
  deleteRuns,
  hasJobRuns,
  hasLeft,
  selectMarked,
  selectRunsOfDeletedJob,
  unmark,
} from './deletion-store.ts';
import { Pieces } from './pieces.ts';

/** Notifications may be lost, and what failed is tried again. */
const LOOK_EVERY_MS = 60_000;
/** Records whose rest is deleted together. */
const TARGETS_MAX = 100;

export interface DeletionWorkerDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Removes the lines and the metrics of deleted runs. Rejects where some are left: it is called again. */
  readonly forgetRuns: (runIds: readonly number[]) => Promise<void>;
}

/**
 * Deletes what is left of deleted records: a job's runs, their attempts, steps, history, dead letters, logs and metrics. In
 * transactions of some ms each, with pauses, so that the server answers meanwhile. A mark in the store goes last: whoever
 * starts after a kill continues. Harmless on several servers at once.
 */
export class DeletionWorker {
  readonly #deps: DeletionWorkerDeps;
  readonly #stop = new AbortController();
  readonly #pieces: Pieces;
  #done: Promise<void> = Promise.resolve();

  constructor(deps: DeletionWorkerDeps) {
    this.#deps = deps;
    this.#pieces = new Pieces(deps.store, this.#stop.signal);
  }

  start(): void {
    const wake = new WakeSignal();
    const unsubscribe = this.#deps.store.listen(DELETIONS_CHANNEL, () => wake.set());
    this.#done = this.#loop(wake).finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #loop(wake: WakeSignal): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.deleteAll().catch((error: unknown) => {
        const said = `deleting what deleted records have left failed and will be tried again: ${messageOf(error)}`;
        this.#deps.logger.warn({ err: error }, said);
      });
      await wake.wait(LOOK_EVERY_MS, this.#stop.signal);
    }
  }

  /** Resolves when nothing marked is left, or the worker stops. */
  async deleteAll(): Promise<void> {
    const { store } = this.#deps;
    while (!this.#stop.signal.aborted) {
      const runs = await selectMarked(store.read, 'run', TARGETS_MAX);
      const [jobId] = runs.length > 0 ? [] : await selectMarked(store.read, 'job', 1);
      if (runs.length > 0) await this.#deleteRest('run', runs);
      else if (jobId !== undefined) await this.#deleteSomeOfJob(jobId);
      else if (!(await this.#deleteOthers())) return;
    }
  }

  async #deleteOthers(): Promise<boolean> {
    for (const kind of DELETION_KINDS) {
      const ids = await selectMarked(this.#deps.store.read, kind, TARGETS_MAX);
      if (ids.length > 0) await this.#deleteRest(kind, ids);
      if (ids.length > 0) return true;
    }
    return false;
  }

  /** Runs first, since their rest is found by them; then the job runs, which hold nothing else. */
  async #deleteSomeOfJob(jobId: number): Promise<void> {
    const { store, clock } = this.#deps;
    const runs = await selectRunsOfDeletedJob(store.read, jobId, Math.min(this.#pieces.rows, TARGETS_MAX));
    if (runs.length > 0) {
      await this.#pieces.one((tx) => deleteRuns(tx, runs, clock.now()));
      return;
    }
    await this.#untilNone(
      (tx, limit) => deleteJobRunsOf(tx, jobId, limit),
      (tx) => hasJobRuns(tx, jobId),
    );
    await this.#deleteRest('job', [jobId]);
  }

  async #deleteRest(kind: DeletionKind, ids: readonly number[]): Promise<void> {
    await this.#untilNone(
      (tx, limit) => deleteLeft(tx, kind, ids, limit),
      (tx) => hasLeft(tx, kind, ids),
    );
    if (this.#stop.signal.aborted) return;
    if (kind === 'run') await this.#deps.forgetRuns(ids);
    await this.#pieces.one((tx) => unmark(tx, kind, ids));
  }

  /**
   * A piece that deletes less than it may is no proof that nothing is left: another transaction may have had its rows in hand, such as
   * the last one of a server that was killed, or retention.
   */
  async #untilNone(
    deleteSome: (tx: Tx, limit: number) => Promise<number>,
    isSomeLeft: (tx: Tx) => Promise<boolean>,
  ): Promise<void> {
    do await this.#pieces.all(deleteSome);
    while (!this.#stop.signal.aborted && (await this.#pieces.one(isSomeLeft)));
  }
}
