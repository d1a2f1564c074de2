import { type Clock, sleep } from '../../../base/clock.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/logger.ts';
import type { ServerMeter } from '../../../base/server-meter.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store, Tx } from '../../../store/store.ts';
import { systemActor } from '../../audit/audit.ts';
import type { EvaluateKey } from '../../jobs/start/concurrency-key.ts';
import type { SentCancel } from '../../runs/run-cancel.ts';
import type { TriggerRow } from '../trigger.ts';
import type { TriggerHealth } from '../trigger-health.ts';
import { advanceTriggers, type Fired, lockUnchangedTriggers, selectDueTriggers } from '../trigger-store.ts';
import { type DueJob, DueJobs } from './due-jobs.ts';
import { Schedules } from './schedules.ts';
import {
  type BatchJobRuns,
  type DueTick,
  nextTimeOf,
  type SettledBatch,
  startOf,
  TickBatch,
} from './tick-batch.ts';
import { CATCHUP_RUNS_MAX } from './tick-plan.ts';
import { lockJobs, selectActiveRunsOfJobs } from './trigger-job-store.ts';
import { insertTicks, markTick, selectTriggersToResume, selectWaitingTicks } from './trigger-tick-store.ts';

const TICK_EVERY_MS = 1_000;
const DUE_PAGE_MAX = 400;
/** Triggers of one transaction: enough to share its commit, few enough that others can write in between. */
const BATCH_MAX = 100;
const BATCHES_AT_ONCE_MAX = 4;
const RESUMES_MAX = 200;

export interface TickerDeps {
  readonly store: Store;
  /** Only to wake on whole seconds; the store's clock decides what is due. */
  readonly clock: Clock;
  readonly logger: Logger;
  readonly jobRuns: BatchJobRuns;
  readonly health: Pick<TriggerHealth, 'settle'>;
  readonly evaluateKey: EvaluateKey;
  readonly meter?: ServerMeter;
}

/**
 * Fires triggers. Every control plane has one, and each scheduled time fires once: a trigger is advanced in the same
 * transaction that starts the job run. Modes: idle → looping (`start`) → stopped (`stop`, which waits for the current pass).
 */
export class Ticker {
  readonly #deps: TickerDeps;
  readonly #jobs: DueJobs;
  readonly #stop = new AbortController();
  #done: Promise<void> = Promise.resolve();
  #lastTickAt: number | null = null;
  /** When this pass began, as `performance.now()` counts. */
  #passBeganAt = 0;

  constructor(deps: TickerDeps) {
    this.#deps = deps;
    this.#jobs = new DueJobs(deps.evaluateKey);
  }

  /** When the last pass succeeded, by this process's clock; null before the first. */
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

  /** One pass at `now`, milliseconds since 1970: fires everything due, then times that wait for an idle job. Returns the starts. */
  async tick(now: number): Promise<number> {
    const { store } = this.#deps;
    const schedules = new Schedules(now);
    this.#passBeganAt = performance.now();
    await this.#settleHealth();
    let started = 0;
    for (let page = await selectDueTriggers(store.read, now, 0, DUE_PAGE_MAX); page.length > 0; ) {
      const starts = await this.#firePage(page, now, schedules);
      started += starts;
      const last = page.at(-1)?.id ?? 0;
      page = page.length < DUE_PAGE_MAX ? [] : await selectDueTriggers(store.read, now, last, DUE_PAGE_MAX);
    }
    for (const row of await selectTriggersToResume(store.read, RESUMES_MAX)) {
      const starts = await this.#guarded(row, () => this.#resume(row, now, schedules));
      started += starts;
    }
    this.#deps.meter?.count('triggers_fired', started);
    return started;
  }

  /** Finished runs may pause triggers that are due; if the results cannot be counted now, the triggers fire nevertheless. */
  async #settleHealth(): Promise<void> {
    try {
      await this.#deps.health.settle();
    } catch (error) {
      this.#deps.logger.error({ err: error }, 'the results of triggers could not be counted');
    }
  }

  /** Fires one scheduled time of each, repeatedly, until all next times are in the future. */
  async #firePage(page: readonly TriggerRow[], now: number, schedules: Schedules): Promise<number> {
    let started = 0;
    let due = page;
    while (due.length > 0 && !this.#stop.signal.aborted) {
      const next: TriggerRow[] = [];
      const batches = chunksOf(due, BATCH_MAX).values();
      const lane = async () => {
        for (const rows of batches) {
          const settled = await this.#settleRows(rows, now, schedules);
          started += settled.started;
          for (const row of rows) {
            const { at = null, delay_ms = 0 } = settled.nextOf.get(row.id) ?? {};
            if (at !== null && at + delay_ms <= now) next.push({ ...row, next_run_at: at, delay_ms });
          }
        }
      };
      await Promise.all(Array.from({ length: BATCHES_AT_ONCE_MAX }, lane));
      due = next;
    }
    return started;
  }

  async #settleRows(rows: readonly TriggerRow[], now: number, schedules: Schedules): Promise<Settled> {
    const jobs = await this.#jobs.load(this.#deps.store.read, new Set(rows.map((row) => row.job_id)));
    const dues: DueTick[] = [];
    for (const row of rows) {
      const job = jobs.get(row.job_id);
      if (job === undefined) continue;
      await this.#guarded(row, async () => {
        const plan = await schedules.plan(row);
        const intervalStart = plan.fire === null ? null : schedules.previous(row, plan.fire);
        const delayOf = (at: number) => schedules.delay(row, at);
        return dues.push({ row, plan, job, intervalStart, delayOf });
      });
    }
    return this.#settle(dues, now);
  }

  /** One failing trigger must not delay the others: a failed batch is retried in halves. */
  async #settle(dues: readonly DueTick[], now: number): Promise<Settled> {
    const { store, jobRuns, logger, meter } = this.#deps;
    const [first] = dues;
    if (first === undefined) return { nextOf: new Map(), started: 0 };
    try {
      const settled = await store.write(
        (tx) => new TickBatch(tx, store.dialect, jobRuns, now).settle(dues),
        'tick',
      );
      if (settled.started > 0 || settled.cancels.length > 0) jobRuns.announce(settled.cancels);
      this.#tellOfMissed(dues, settled);
      const passMs = performance.now() - this.#passBeganAt;
      for (const ms of settled.lateMs) meter?.observe('trigger_lateness', (ms + passMs) / 1_000);
      return settled;
    } catch (error) {
      if (dues.length > 1) {
        const half = Math.ceil(dues.length / 2);
        const left = await this.#settle(dues.slice(0, half), now);
        const right = await this.#settle(dues.slice(half), now);
        return {
          nextOf: new Map([...left.nextOf, ...right.nextOf]),
          started: left.started + right.started,
        };
      }
      const known = error instanceof AppError && first.plan.fire !== null;
      const what = known ? 'a trigger could not start its job' : 'a trigger could not fire';
      logger.error({ err: error, trigger_id: first.row.id }, what);
      return known ? this.#giveUp(first, now) : { nextOf: new Map(), started: 0 };
    }
  }

  /** `catchup: all` begins with the newest missed times. */
  #tellOfMissed(dues: readonly DueTick[], { nextOf }: Settled): void {
    for (const { row, plan } of dues) {
      if (row.catchup !== 'all' || plan.missed === 0 || !nextOf.has(row.id)) continue;
      this.#deps.logger.warn(
        { trigger_id: row.id, missed: plan.missed },
        `the trigger catches up on its newest ${CATCHUP_RUNS_MAX} missed times at most; start earlier ones with "headgate backfill --reprocess missed"`,
      );
    }
  }

  /** The job cannot be started: this time is recorded as failed, and the next one is tried. */
  async #giveUp({ row, plan, delayOf }: DueTick, now: number): Promise<Settled> {
    const { store } = this.#deps;
    return store.write(async (tx) => {
      const mine = await lockUnchangedTriggers(tx, store.dialect, [row]);
      if (!mine.has(row.id) || plan.fire === null) return { nextOf: new Map(), started: 0 };
      const tick = {
        trigger_id: row.id,
        scheduled_for: plan.fire,
        outcome: 'failed',
        job_run_id: null,
      } as const;
      await insertTicks(tx, [tick], now);
      const next = nextTimeOf({ delayOf }, plan.next);
      const given = { missed: plan.missed + 1, skipped: 0, fired: null };
      const advance = { next_run_at: next.at, delay_ms: next.delay_ms, ...given };
      await advanceTriggers(tx, [{ id: row.id, advance }]);
      return { nextOf: new Map([[row.id, next]]), started: 0 };
    });
  }

  /** One failing trigger must not delay the others; it stays due and is retried a second later. */
  async #guarded(row: TriggerRow, work: () => Promise<number>): Promise<number> {
    try {
      return await work();
    } catch (error) {
      this.#deps.logger.error({ err: error, trigger_id: row.id }, 'a trigger could not fire');
      return 0;
    }
  }

  /** Starts the oldest waiting time, now that the job is idle. */
  async #resume(row: TriggerRow, now: number, schedules: Schedules): Promise<number> {
    const { store, jobRuns, logger } = this.#deps;
    const job = (await this.#jobs.load(store.read, new Set([row.job_id]))).get(row.job_id);
    if (job === undefined) return 0;
    try {
      const resume = { row, job, startable: job.problem === null };
      const { started, cancels } = await store.write((tx) => this.#resumeInside(tx, resume, now, schedules));
      if (started > 0) jobRuns.announce(cancels);
      return started;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      logger.error({ err: error, trigger_id: row.id }, 'a trigger could not start its job');
      const resume = { row, job, startable: false };
      return (await store.write((tx) => this.#resumeInside(tx, resume, now, schedules))).started;
    }
  }

  /** `startable` false: the oldest time is skipped. */
  async #resumeInside(
    tx: Tx,
    { row, job, startable }: { row: TriggerRow; job: DueJob; startable: boolean },
    now: number,
    schedules: Schedules,
  ): Promise<{ started: number; cancels: readonly SentCancel[] }> {
    const { store, jobRuns } = this.#deps;
    const nothing = { started: 0, cancels: [] };
    if (!(await lockUnchangedTriggers(tx, store.dialect, [row])).has(row.id)) return nothing;
    const [locked] = await lockJobs(tx, store.dialect, [row.job_id]);
    if (locked?.status !== 'active' || (await selectActiveRunsOfJobs(tx, [locked.id])).length > 0)
      return nothing;
    if (locked.version !== job.version || locked.config_version !== job.config_version) return nothing;
    const at = (await selectWaitingTicks(tx, row.id))[0];
    if (at === undefined) return nothing;
    let fired: Fired | null = null;
    let cancels: readonly SentCancel[] = [];
    let refused = false;
    if (startable) {
      const start = startOf(row.id, job, at, schedules.previous(row, at));
      const result = await jobRuns.startManyInside(tx, [start], systemActor);
      const outcome = result.outcomes[0];
      cancels = result.cancels;
      refused = outcome?.outcome === 'refused' || outcome?.outcome === 'skipped';
      if (outcome?.outcome === 'started' || outcome?.outcome === 'waiting')
        fired = { job_run_id: outcome.row.id, at: now };
    }
    const tick = fired !== null ? 'started' : refused ? 'skipped' : 'failed';
    await markTick(tx, row.id, at, tick, fired?.job_run_id ?? null);
    const missed = tick === 'failed' ? 1 : 0;
    const skipped = tick === 'skipped' ? 1 : 0;
    const { next_run_at, delay_ms } = row;
    await advanceTriggers(tx, [{ id: row.id, advance: { next_run_at, delay_ms, missed, skipped, fired } }]);
    return { started: fired === null ? 0 : 1, cancels };
  }
}

type Settled = Pick<SettledBatch, 'nextOf' | 'started'>;

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}
