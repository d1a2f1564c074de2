import type { Dialect } from '../../../store/dialect.ts';
import type { Tx } from '../../../store/store.ts';
import { systemActor } from '../../audit/audit.ts';
import type { JobRuns } from '../../job-runs/job-run-service.ts';
import type { JobStart } from '../../job-runs/job-run-start.ts';
import { lockJobRun } from '../../job-runs/job-run-store.ts';
import { CANCEL_GRACE_DEFAULT_MS, type SentCancel } from '../../runs/run-cancel.ts';
import type { Overlap, TickOutcome, TriggerRow } from '../trigger.ts';
import { advanceTriggers, lockUnchangedTriggers, type TriggerAdvance } from '../trigger-store.ts';
import type { DueJob } from './due-jobs.ts';
import type { TickPlan } from './tick-plan.ts';
import { lockJobs, selectActiveRunsOfJobs } from './trigger-job-store.ts';
import {
  deleteTicksBefore,
  insertTicks,
  type NewTick,
  selectHandledTicks,
  selectWaitingTicks,
  skipWaitingTicks,
  WAITING_TICKS_MAX,
} from './trigger-tick-store.ts';

const TICKS_KEPT_MS = 7 * 86_400_000;

/** A due trigger, with everything determined before its transaction. */
export interface DueTick {
  readonly row: TriggerRow;
  readonly plan: TickPlan;
  readonly job: DueJob;
  /** The scheduled time preceding `plan.fire`. */
  readonly intervalStart: number | null;
  /** How long after a scheduled time its run is started. */
  readonly delayOf: (at: number) => number;
}

/** The next time of a trigger; null if there is none. */
export interface NextTime {
  readonly at: number | null;
  readonly delay_ms: number;
}

/** The advanced triggers by id, with their next times; another control plane has the rest. */
export interface SettledBatch {
  readonly nextOf: ReadonlyMap<number, NextTime>;
  readonly started: number;
  /** By how much each of them came after its time, in milliseconds at this pass's time. */
  readonly lateMs: readonly number[];
  readonly cancels: readonly SentCancel[];
}

export type BatchJobRuns = Pick<JobRuns, 'startManyInside' | 'cancelInside' | 'announce'>;

/** What one trigger does in this transaction. */
interface Move {
  readonly due: DueTick;
  tick: TickOutcome | null;
  next: number | null;
  missed: number;
  skipped: number;
  jobRunId: number | null;
}

/**
 * Settles the due times of several triggers in one transaction, by sets: each is fired, queued or skipped, and the trigger
 * advanced. Either all of it happens, or none.
 */
export class TickBatch {
  readonly #tx: Tx;
  readonly #dialect: Dialect;
  readonly #jobRuns: BatchJobRuns;
  readonly #now: number;
  readonly #cancels: SentCancel[] = [];

  constructor(tx: Tx, dialect: Dialect, jobRuns: BatchJobRuns, now: number) {
    this.#tx = tx;
    this.#dialect = dialect;
    this.#jobRuns = jobRuns;
    this.#now = now;
  }

  async settle(dues: readonly DueTick[]): Promise<SettledBatch> {
    const tx = this.#tx;
    const moves = await this.#decide(dues);
    const starting = moves.filter((move) => move.tick === 'started');
    await this.#start(starting);
    const ticks = moves.flatMap(({ due, tick, jobRunId }): NewTick[] =>
      tick === null || due.plan.fire === null
        ? []
        : [{ trigger_id: due.row.id, scheduled_for: due.plan.fire, outcome: tick, job_run_id: jobRunId }],
    );
    await insertTicks(tx, ticks, this.#now);
    await advanceTriggers(
      tx,
      moves.map((move) => ({ id: move.due.row.id, advance: this.#advanceOf(move) })),
    );
    const ids = ticks.map((tick) => tick.trigger_id);
    await deleteTicksBefore(tx, ids, this.#now - TICKS_KEPT_MS);
    const nextOf = new Map(moves.map(({ due, next }) => [due.row.id, nextTimeOf(due, next)]));
    const started = moves.filter((move) => move.tick === 'started');
    const lateMs = started.map(({ due }) => this.#lateMs(due));
    return { nextOf, started: started.length, lateMs, cancels: this.#cancels };
  }

  #lateMs({ plan, delayOf }: DueTick): number {
    return plan.fire === null ? 0 : this.#now - plan.fire - delayOf(plan.fire);
  }

  #advanceOf(move: Move): TriggerAdvance {
    const fired =
      move.tick === 'started' && move.jobRunId !== null ? { job_run_id: move.jobRunId, at: this.#now } : null;
    const { at, delay_ms } = nextTimeOf(move.due, move.next);
    return { next_run_at: at, delay_ms, missed: move.missed, skipped: move.skipped, fired };
  }

  async #decide(dues: readonly DueTick[]): Promise<Move[]> {
    const [tx, dialect] = [this.#tx, this.#dialect];
    const rows = dues.map((due) => due.row);
    const unchanged = await lockUnchangedTriggers(tx, dialect, rows);
    const mine = dues.filter((due) => unchanged.has(due.row.id));
    const jobIds = [...new Set(mine.map((due) => due.row.job_id))];
    const jobs = new Map((await lockJobs(tx, dialect, jobIds)).map((job) => [job.id, job]));
    const wary = mine.filter((due) => due.row.overlap !== 'allow').map((due) => due.row.job_id);
    const busy = new Set((await selectActiveRunsOfJobs(tx, [...new Set(wary)])).map((run) => run.job_id));
    const handled = await selectHandledTicks(
      tx,
      mine.flatMap(({ row, plan }) =>
        plan.fire === null ? [] : [{ trigger_id: row.id, scheduled_for: plan.fire }],
      ),
    );
    const moves: Move[] = [];
    for (const due of mine) {
      const job = jobs.get(due.row.job_id);
      const { version, config_version } = due.job;
      // Changed since it was read: it stays due, and the next pass reads it again.
      if (job !== undefined && (job.version !== version || job.config_version !== config_version)) continue;
      const { next, missed, fire, future } = due.plan;
      const move: Move = { due, tick: null, next, missed, skipped: 0, jobRunId: null };
      moves.push(move);
      if (job?.status !== 'active') {
        // An archived job catches up on nothing later.
        move.next = future;
        move.missed = 0;
      } else if (fire !== null && !handled(due.row.id, fire)) {
        await this.#fire(move, busy);
      }
    }
    return moves;
  }

  async #fire(move: Move, busy: Set<number>): Promise<void> {
    const { row, job } = move.due;
    if (job.problem !== null) {
      move.tick = 'failed';
      move.missed += 1;
      return;
    }
    move.tick = await this.#outcomeOf(row, busy);
    if (move.tick === 'skipped') move.skipped += 1;
    if (move.tick === 'started') busy.add(row.job_id);
    // A time that finds the queue full leaves no row: the waiting ones stay the newest.
    if (move.tick === 'skipped' && row.overlap.startsWith('queue')) move.tick = null;
    if (row.overlap === 'cancel_running' && move.tick === 'waiting')
      move.skipped += await skipWaitingTicks(this.#tx, row.id);
  }

  async #outcomeOf(row: TriggerRow, busy: Set<number>): Promise<TickOutcome> {
    const overlap = row.overlap as Overlap;
    if (overlap === 'allow') return 'started';
    const isBusy = busy.has(row.job_id);
    if (overlap === 'skip') return isBusy ? 'skipped' : 'started';
    if (overlap === 'cancel_running') {
      if (isBusy && (await this.#cancelRunsOf(row.job_id))) busy.delete(row.job_id);
      return busy.has(row.job_id) ? 'waiting' : 'started';
    }
    const waiting = (await selectWaitingTicks(this.#tx, row.id)).length;
    if (waiting >= (overlap === 'queue_one' ? 1 : WAITING_TICKS_MAX)) return 'skipped';
    return isBusy || waiting > 0 ? 'waiting' : 'started';
  }

  /** True if that has left the job idle: the cancelled runs had not started. */
  async #cancelRunsOf(jobId: number): Promise<boolean> {
    const tx = this.#tx;
    const request = { mode: 'graceful', graceMs: CANCEL_GRACE_DEFAULT_MS, reason: 'overlap' } as const;
    for (const { id } of await selectActiveRunsOfJobs(tx, [jobId])) {
      const run = await lockJobRun(tx, this.#dialect, id);
      if (run === null || run.ended_at !== null || run.status === 'cancelling') continue;
      this.#cancels.push(...(await this.#jobRuns.cancelInside(tx, run, request, systemActor)));
    }
    return (await selectActiveRunsOfJobs(tx, [jobId])).length === 0;
  }

  async #start(starting: readonly Move[]): Promise<void> {
    if (starting.length === 0) return;
    const starts = starting.map(({ due }) => startOf(due.row.id, due.job, due.plan.fire, due.intervalStart));
    const { outcomes, cancels } = await this.#jobRuns.startManyInside(this.#tx, starts, systemActor);
    this.#cancels.push(...cancels);
    for (const [index, move] of starting.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined) continue;
      if (outcome.outcome !== 'refused') move.jobRunId = outcome.row.id;
      if (outcome.outcome === 'started' || outcome.outcome === 'waiting') continue;
      move.tick = 'skipped';
      move.skipped += 1;
    }
  }
}

export function nextTimeOf({ delayOf }: Pick<DueTick, 'delayOf'>, at: number | null): NextTime {
  return { at, delay_ms: at === null ? 0 : delayOf(at) };
}

/** The request of a trigger to job runs for one of its times. */
export function startOf(
  triggerId: number,
  job: DueJob,
  at: number | null,
  intervalStart: number | null,
): JobStart {
  return {
    job: job.runnable,
    request: {
      reason: 'schedule',
      args: job.args,
      key: job.key,
      trigger_id: triggerId,
      scheduled_for: at,
      interval_start: intervalStart,
      rerun_of: null,
    },
  };
}
