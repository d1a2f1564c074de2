import { type Clock, sleep } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { type ServerMeter, silentMeter } from '../../base/server-meter.ts';
import type { Cancel, ExecutorLimits } from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { hasQueued, markLosses } from '../runs/queue/run-claim-store.ts';
import { claimantOf } from '../runs/queue/run-kind.ts';
import {
  lapseOf,
  lockRunInJobRun,
  requeueRun,
  selectLapsedIds,
  selectOverdueRunIds,
} from '../runs/queue/run-lease-store.ts';
import { unparkForgotten } from '../runs/queue/run-slot-store.ts';
import { isGivenUp, lossDelayMs } from '../runs/run.ts';
import { CANCEL_GRACE_DEFAULT_MS, cancelRunInside, type SentCancel } from '../runs/run-cancel.ts';
import { endRun, type OnRunFinished, TIMED_OUT } from '../runs/run-completion.ts';
import { markUnclaimable, stampExpiries } from './dispatch/unclaimable-store.ts';
import { EXECUTOR_LIMITS } from './executor.ts';
import { selectPresentNeeds } from './executor-store.ts';
import { LostExecutors } from './lost-executors.ts';
import { unfitMessage } from './waiting/unfit-message.ts';

const SWEEP_EVERY_MS = 1_000;
const SWEEP_RUNS_MAX = 200;
/** Consecutive failures after which a pass stops: then the store is the cause, not the runs. */
const FAILURES_IN_A_ROW_MAX = 3;

export interface SweeperDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onRunFinished: OnRunFinished;
  readonly wakeQueue: () => void;
  readonly published: (runId: number) => void;
  /** Notifies the executor that holds a run, after the commit. Otherwise only the replies to heartbeats do. */
  readonly sendCancel?: (executorId: number, cancel: Cancel) => void;
  /** Ends runs that nobody claims within this time; null: never. */
  readonly queueTimeoutMs?: number | null;
  readonly limits?: ExecutorLimits;
  readonly meter?: ServerMeter;
}

/**
 * Reclaims what nobody holds any more: unacknowledged assignments, leases past ttl and grace, cancels past theirs. Ends runs
 * that waited too long or are past their deadline, and marks waiting runs that no executor fits. After an outage of the server
 * it waits one full lease before it declares anything lost: executors could not reach it.
 */
export class LeaseSweeper {
  readonly #deps: SweeperDeps;
  readonly #limits: ExecutorLimits;
  readonly #meter: ServerMeter;
  readonly #lost: LostExecutors;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: SweeperDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? EXECUTOR_LIMITS;
    this.#meter = deps.meter ?? silentMeter;
    this.#lost = new LostExecutors({ ...deps, meter: this.#meter });
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
    let quietUntil = lastSweptAt + this.#limits.lease_ttl_ms;
    while (!this.#stop.signal.aborted) {
      await sleep(SWEEP_EVERY_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      const now = clock.now();
      // This process was suspended, or the store unavailable: either way no executor could renew its leases.
      if (now - lastSweptAt > this.#limits.lease_ttl_ms) quietUntil = now + this.#limits.lease_ttl_ms;
      try {
        await this.sweep(now >= quietUntil);
        lastSweptAt = clock.now();
      } catch (error) {
        logger.warn({ err: error }, `the sweep failed, retrying: ${messageOf(error)}`);
      }
    }
  }

  /** One pass, each run in a transaction of its own. `declareLost` false leaves lapsed leases alone. */
  async sweep(declareLost: boolean): Promise<void> {
    const { store, wakeQueue } = this.#deps;
    const graceMs = declareLost ? this.#limits.reconnect_grace_ms : null;
    const now = await selectNow(store.read, store.dialect);
    const lapsed = await selectLapsedIds(store.read, { now, graceMs }, SWEEP_RUNS_MAX);
    if (declareLost) await this.#lost.look(now, this.#awayMs());
    const settled = await this.#settleAll(lapsed, (tx, id) => this.#settle(tx, id, graceMs));
    const overdue = await selectOverdueRunIds(store.read, now, SWEEP_RUNS_MAX);
    await this.#settleAll(overdue, (tx, id) => this.#endOverdue(tx, id));
    const unmarked = (await hasQueued(store.read)) && (await store.write((tx) => this.#review(tx)));
    if (settled || unmarked) wakeQueue();
  }

  /** Whether any of them was settled. One failing run must not block the others. */
  async #settleAll(
    ids: readonly number[],
    settle: (tx: Tx, id: number) => Promise<SentCancel | boolean>,
  ): Promise<boolean> {
    const { store, logger, published, sendCancel } = this.#deps;
    let settledAny = false;
    let failures = 0;
    for (const id of ids) {
      try {
        const settled = await store.write((tx) => settle(tx, id), 'run-sweep');
        failures = 0;
        if (settled === false) continue;
        if (settled !== true) sendCancel?.(settled.executorId, settled.cancel);
        settledAny = true;
        published(id);
      } catch (error) {
        logger.warn({ err: error, run_id: id }, `the run could not be swept: ${messageOf(error)}`);
        failures += 1;
        if (failures >= FAILURES_IN_A_ROW_MAX) throw error;
      }
    }
    return settledAny;
  }

  /** Whether the run is still overdue, now that it is locked. */
  async #settle(tx: Tx, id: number, graceMs: number | null): Promise<boolean> {
    const { store, onRunFinished } = this.#deps;
    const run = await lockRunInJobRun(tx, store.dialect, id);
    const now = await selectNow(tx, store.dialect);
    const lapse = run === null ? null : lapseOf(run, { now, graceMs });
    if (run === null || lapse === null) return false;
    if (lapse === 'cancel') {
      const cancelled = { status: 'cancelled', reason: run.reason, error: null } as const;
      const end = run.reason === 'timeout' ? TIMED_OUT : cancelled;
      return endRun(tx, run, end, { now, onRunFinished });
    }
    if (lapse === 'assignment') {
      this.#meter.count('assignments_expired');
      return requeueRun(tx, run, { reason: 'awaiting_slot', availableAt: now, loss: false }, now);
    }
    this.#meter.count('leases_expired');
    const losses = run.losses + 1;
    if (!isGivenUp(run, losses)) {
      const availableAt = now + lossDelayMs(losses);
      return requeueRun(tx, run, { reason: 'executor_lost', availableAt, loss: true }, now);
    }
    await markLosses(tx, run.id, losses);
    const message = `Its executors were lost ${losses} times during this run: it is not retried`;
    const error = { code: 'EXECUTOR_LOST', message, step: null };
    return endRun(tx, run, { status: 'error', reason: 'executor_lost', error }, { now, onRunFinished });
  }

  /** An unclaimed run ends; a running one is asked to stop first. */
  async #endOverdue(tx: Tx, id: number): Promise<SentCancel | boolean> {
    const { store, onRunFinished } = this.#deps;
    const run = await lockRunInJobRun(tx, store.dialect, id);
    const now = await selectNow(tx, store.dialect);
    if (run === null || (run.status !== 'queued' && run.status !== 'running')) return false;
    const late = run.deadline_at !== null && run.deadline_at < now;
    if (run.status === 'running') {
      if (!late) return false;
      const request = { mode: 'graceful', graceMs: CANCEL_GRACE_DEFAULT_MS, reason: 'timeout' } as const;
      return (await cancelRunInside(tx, run, request, { now, onRunFinished })) ?? true;
    }
    if (late) {
      const message = 'No executor started it before its deadline';
      const error = { code: 'TIMEOUT', message, step: null };
      return endRun(tx, run, { status: 'error', reason: 'timeout', error }, { now, onRunFinished });
    }
    if (run.queue_expires_at === null || run.queue_expires_at >= now) return false;
    const present = await selectPresentNeeds(tx, now - this.#awayMs());
    const draining = await selectPresentNeeds(tx, now - this.#awayMs(), 'draining');
    const unfit = unfitMessage(run, present.map(claimantOf), draining.map(claimantOf));
    const minutes = Math.round((run.queue_expires_at - run.available_at) / 60_000);
    const message = `It waited ${minutes} minutes in the queue. ${unfit ?? 'The executors that fit had no free slot'}`;
    const error = { code: unfit === null ? 'TIMEOUT' : 'NO_EXECUTOR', message, step: null };
    const reason = unfit === null ? 'timeout' : 'no_executor';
    return endRun(tx, run, { status: 'error', reason, error }, { now, onRunFinished });
  }

  /** Checks runs that wait for an executor or a slot again; returns whether any can now be claimed. */
  async #review(tx: Tx): Promise<boolean> {
    const { store, queueTimeoutMs = null } = this.#deps;
    const { dialect } = store;
    const now = await selectNow(tx, dialect);
    if (queueTimeoutMs !== null) await stampExpiries(tx, dialect, queueTimeoutMs, now);
    const unmarked = await markUnclaimable(tx, dialect, await selectPresentNeeds(tx, now - this.#awayMs()));
    return (await unparkForgotten(tx, dialect, now)) || unmarked;
  }

  /** An executor silent for this long no longer holds anything. */
  #awayMs(): number {
    return this.#limits.lease_ttl_ms + this.#limits.reconnect_grace_ms;
  }
}
