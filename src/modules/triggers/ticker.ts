import { type Clock, sleep } from '../../base/clock.ts';
import { AppError, messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Store, Tx } from '../../store/store.ts';
import { systemActor } from '../audit/audit.ts';
import type { JobRuns } from '../job-runs/job-run-service.ts';
import { defaultArgs, type JobRow, toRunnable } from '../jobs/job.ts';
import { selectNow } from '../runs/run-lease-store.ts';
import { planTick, type TickPlan } from './tick-plan.ts';
import { type Catchup, requireSchedule, type TriggerRow } from './trigger.ts';
import {
  advanceTrigger,
  type Fired,
  lockJob,
  lockUnchangedTrigger,
  selectActiveJobRunId,
  selectDueTriggers,
} from './trigger-store.ts';
import {
  deleteTicksBefore,
  insertTick,
  markTick,
  selectTriggersToResume,
  selectWaitingTicks,
  WAITING_TICKS_MAX,
} from './trigger-tick-store.ts';

const TICK_EVERY_MS = 1_000;
const DUE_PAGE_MAX = 200;
const FIRES_AT_ONCE_MAX = 4;
const RESUMES_MAX = 200;
const TICKS_KEPT_MS = 7 * 86_400_000;

/** Starts a job run inside the caller's transaction: `startInside` of job runs. */
export type StartJobRun = JobRuns['startInside'];

export interface TickerDeps {
  readonly store: Store;
  /** Only to wake on whole seconds; what is due is told by the store's clock. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly startJobRun: StartJobRun;
  /** Called after the commit of a start. */
  readonly wakeQueue: () => void;
}

/** `nextAt`: the trigger's next time. `lost`: someone else has the trigger. */
type Settled = 'lost' | { readonly nextAt: number | null; readonly fired: Fired | null };

/**
 * Fires triggers. Every control plane has one, and each scheduled time fires once: a trigger is moved on from the time that
 * it had in the very transaction that starts the job run. Modes: idle → looping (`start`) → stopped (`stop`, which waits for
 * the pass in hand).
 */
export class Ticker {
  readonly #deps: TickerDeps;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();
  #lastTickAt: number | null = null;

  constructor(deps: TickerDeps) {
    this.#deps = deps;
  }

  /** When the last pass ended well, by the own clock; null before the first. */
  get lastTickAt(): number | null {
    return this.#lastTickAt;
  }

  start(): void {
    this.#done = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #loop(): Promise<void> {
    const { store, clock, logger } = this.#deps;
    while (!this.#stop.signal.aborted) {
      await sleep(TICK_EVERY_MS - (clock.now() % TICK_EVERY_MS), this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      try {
        await this.tick(await store.write((tx) => selectNow(tx, store.dialect)));
        this.#lastTickAt = clock.now();
      } catch (error) {
        logger.warn({ err: error }, `a tick failed and will be tried again: ${messageOf(error)}`);
      }
    }
  }

  /** One pass at `now`, milliseconds since 1970: fires all that is due, then what waits for an idle job. Returns the starts. */
  async tick(now: number): Promise<number> {
    const { store } = this.#deps;
    let started = 0;
    for (let page = await selectDueTriggers(store.read, now, 0, DUE_PAGE_MAX); page.length > 0; ) {
      const rows = page.values();
      const lane = async () => {
        for (const row of rows) {
          const starts = await this.#catchUp(row, now);
          started += starts;
        }
      };
      await Promise.all(Array.from({ length: FIRES_AT_ONCE_MAX }, lane));
      const last = page.at(-1)?.id ?? 0;
      page = page.length < DUE_PAGE_MAX ? [] : await selectDueTriggers(store.read, now, last, DUE_PAGE_MAX);
    }
    for (const row of await selectTriggersToResume(store.read, RESUMES_MAX)) {
      const starts = await this.#guarded(row, () => this.#resume(row, now));
      started += starts;
    }
    return started;
  }

  /** Fires for one scheduled time after another, each in a transaction of its own, until the trigger's next is to come. */
  async #catchUp(row: TriggerRow, now: number): Promise<number> {
    return this.#guarded(row, async () => {
      let started = 0;
      let due = row;
      while (due.next_run_at !== null && due.next_run_at <= now && !this.#stop.signal.aborted) {
        const settled = await this.#settle(due, now);
        if (settled === 'lost') break;
        if (settled.fired !== null) started += 1;
        due = { ...due, next_run_at: settled.nextAt };
      }
      return started;
    });
  }

  /** One trigger that fails must not hold up the others; it is still due, and tried again a second later. */
  async #guarded(row: TriggerRow, work: () => Promise<number>): Promise<number> {
    try {
      return await work();
    } catch (error) {
      this.#deps.logger.error({ err: error, trigger_id: row.id }, 'a trigger could not fire');
      return 0;
    }
  }

  async #settle(row: TriggerRow, now: number): Promise<Settled> {
    const first = row.next_run_at ?? now;
    const plan = await planTick(requireSchedule(row.cron, row.timezone), row.catchup as Catchup, first, now);
    try {
      const settled = await this.#deps.store.write((tx) => this.#settleInside(tx, row, plan, now));
      if (settled !== 'lost' && settled.fired !== null) this.#deps.wakeQueue();
      return settled;
    } catch (error) {
      if (!(error instanceof AppError) || plan.fire === null) throw error;
      this.#deps.logger.error({ err: error, trigger_id: row.id }, 'a trigger could not start its job');
      return this.#giveUp(row, plan, plan.fire, now);
    }
  }

  async #settleInside(tx: Tx, row: TriggerRow, plan: TickPlan, now: number): Promise<Settled> {
    const { dialect } = this.#deps.store;
    if (!(await lockUnchangedTrigger(tx, dialect, row))) return 'lost';
    const job = await lockJob(tx, dialect, row.job_id);
    if (job?.status !== 'active') {
      await advanceTrigger(tx, row, { next_run_at: plan.future, missed: 0, skipped: 0, fired: null });
      return { nextAt: plan.future, fired: null };
    }
    const result = plan.fire === null ? null : await this.#fire(tx, row, job, plan.fire, now);
    const fired = result === 'skipped' ? null : result;
    await advanceTrigger(tx, row, {
      next_run_at: plan.next,
      missed: plan.missed,
      skipped: result === 'skipped' ? 1 : 0,
      fired,
    });
    await deleteTicksBefore(tx, row.id, now - TICKS_KEPT_MS);
    return { nextAt: plan.next, fired };
  }

  /** Null where nothing starts now: the time waits, or was handled before. */
  async #fire(
    tx: Tx,
    row: TriggerRow,
    job: JobRow,
    at: number,
    now: number,
  ): Promise<Fired | 'skipped' | null> {
    const busy = row.overlap !== 'allow' && (await selectActiveJobRunId(tx, job.id)) !== null;
    if (row.overlap === 'queue_all') {
      const waiting = (await selectWaitingTicks(tx, row.id)).length;
      // A time that finds no room leaves no row: those that wait stay the newest.
      if (waiting >= WAITING_TICKS_MAX) return 'skipped';
      if (busy || waiting > 0) {
        await insertTick(tx, row.id, at, 'waiting', now);
        return null;
      }
    }
    if (!(await insertTick(tx, row.id, at, busy ? 'skipped' : 'started', now))) return null;
    return busy ? 'skipped' : this.#startRun(tx, row, job, at, now);
  }

  async #startRun(tx: Tx, row: TriggerRow, job: JobRow, at: number, now: number): Promise<Fired> {
    const runnable = toRunnable(job);
    const request = {
      reason: 'schedule' as const,
      args: defaultArgs(runnable.parsed),
      trigger_id: row.id,
      scheduled_for: at,
      rerun_of: null,
    };
    const jobRun = await this.#deps.startJobRun(tx, runnable, request, systemActor);
    await markTick(tx, row.id, at, 'started', jobRun.id);
    return { job_run_id: jobRun.id, at: now };
  }

  /** The job cannot be started as it is: the time is over, and the next one is tried again. */
  async #giveUp(row: TriggerRow, plan: TickPlan, at: number, now: number): Promise<Settled> {
    const { store } = this.#deps;
    return store.write(async (tx) => {
      if (!(await lockUnchangedTrigger(tx, store.dialect, row))) return 'lost';
      await insertTick(tx, row.id, at, 'failed', now);
      const missed = plan.missed + 1;
      await advanceTrigger(tx, row, { next_run_at: plan.next, missed, skipped: 0, fired: null });
      return { nextAt: plan.next, fired: null };
    });
  }

  /** Starts the oldest time that waits, now that the job is idle. */
  async #resume(row: TriggerRow, now: number): Promise<number> {
    const { store, wakeQueue, logger } = this.#deps;
    try {
      const started = await store.write((tx) => this.#resumeInside(tx, row, now, true));
      if (started > 0) wakeQueue();
      return started;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      logger.error({ err: error, trigger_id: row.id }, 'a trigger could not start its job');
      return store.write((tx) => this.#resumeInside(tx, row, now, false));
    }
  }

  /** `startable` false: the oldest time is given up. */
  async #resumeInside(tx: Tx, row: TriggerRow, now: number, startable: boolean): Promise<number> {
    const { dialect } = this.#deps.store;
    if (!(await lockUnchangedTrigger(tx, dialect, row))) return 0;
    const job = await lockJob(tx, dialect, row.job_id);
    if (job?.status !== 'active' || (await selectActiveJobRunId(tx, job.id)) !== null) return 0;
    const at = (await selectWaitingTicks(tx, row.id))[0];
    if (at === undefined) return 0;
    const fired = startable ? await this.#startRun(tx, row, job, at, now) : null;
    if (fired === null) await markTick(tx, row.id, at, 'failed', null);
    const missed = fired === null ? 1 : 0;
    await advanceTrigger(tx, row, { next_run_at: row.next_run_at, missed, skipped: 0, fired });
    return fired === null ? 0 : 1;
  }
}
