import { type Clock, sleep } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { RunRow } from '../runs/run.ts';
import { endRun, type OnRunFinished } from '../runs/run-completion.ts';
import { lapseOf, lockRunInJobRun, requeueRun, selectLapsedIds, selectNow } from '../runs/run-lease-store.ts';
import { EXECUTOR_LIMITS } from './executor.ts';

const SWEEP_EVERY_MS = 1_000;
const SWEEP_RUNS_MAX = 200;
/** Runs that fail to settle one after another before a pass gives up: then it is the store, not the runs. */
const FAILURES_IN_A_ROW_MAX = 3;

export interface SweeperDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRunFinished: OnRunFinished;
  readonly wakeQueue: () => void;
  readonly published: (runId: number) => void;
}

/**
 * Takes back what nobody holds any more: assignments that were not acknowledged, leases past ttl and grace, cancels past theirs.
 * After an outage of the server it waits one full lease before it calls anything lost: executors could not reach it.
 */
export class LeaseSweeper {
  readonly #deps: SweeperDeps;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#done = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #loop(): Promise<void> {
    const { clock, logger } = this.#deps;
    let lastSweptAt = clock.now();
    let quietUntil = lastSweptAt + EXECUTOR_LIMITS.lease_ttl_ms;
    while (!this.#stop.signal.aborted) {
      await sleep(SWEEP_EVERY_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      const now = clock.now();
      // This process slept, or the store was away: either way no executor could renew its leases.
      if (now - lastSweptAt > EXECUTOR_LIMITS.lease_ttl_ms) quietUntil = now + EXECUTOR_LIMITS.lease_ttl_ms;
      try {
        await this.sweep(now >= quietUntil);
        lastSweptAt = clock.now();
      } catch (error) {
        logger.warn({ err: error }, `the sweep failed and will be tried again: ${messageOf(error)}`);
      }
    }
  }

  /** One pass, each run in a transaction of its own. `declareLost` false leaves lapsed leases alone. */
  async sweep(declareLost: boolean): Promise<void> {
    const { store, logger, wakeQueue, published } = this.#deps;
    const graceMs = declareLost ? EXECUTOR_LIMITS.reconnect_grace_ms : null;
    const now = await selectNow(store.read, store.dialect);
    let touched = false;
    let failures = 0;
    for (const id of await selectLapsedIds(store.read, { now, graceMs }, SWEEP_RUNS_MAX)) {
      try {
        const settled = await store.write((tx) => this.#settle(tx, id, graceMs));
        failures = 0;
        if (!settled) continue;
        touched = true;
        published(id);
      } catch (error) {
        // One run that cannot be settled must not keep the others from it.
        logger.warn({ err: error, run_id: id }, `the run could not be swept: ${messageOf(error)}`);
        failures += 1;
        if (failures >= FAILURES_IN_A_ROW_MAX) throw error;
      }
    }
    if (touched) wakeQueue();
  }

  /** Whether the run's time was up indeed, now that it is locked. */
  async #settle(tx: Tx, id: number, graceMs: number | null): Promise<boolean> {
    const { store, onRunFinished } = this.#deps;
    const run = await lockRunInJobRun(tx, store.dialect, id);
    const now = await selectNow(tx, store.dialect);
    const lapse = run === null ? null : lapseOf(run, { now, graceMs });
    if (run === null || lapse === null) return false;
    if (lapse === 'cancel') {
      const end = { status: 'cancelled', reason: run.reason, error: null } as const;
      return endRun(tx, run, end, { now, onRunFinished });
    }
    if (lapse === 'assignment') return requeueRun(tx, run, 'awaiting_slot', now, now);
    if (run.attempt < lostAttemptsMax(run)) return requeueRun(tx, run, 'executor_lost', now, now);
    const error = {
      code: 'EXECUTOR_LOST',
      message: `Its executor was lost, and the run has had its ${run.attempt} attempts`,
      step: null,
    };
    return endRun(tx, run, { status: 'error', reason: 'executor_lost', error }, { now, onRunFinished });
  }
}

/** A lost executor is not the task's fault: even a run without retries is tried twice more, but not for ever. */
function lostAttemptsMax(run: RunRow): number {
  return Math.max(run.max_attempts, 3);
}
