import { eachFigure, ROW_COUNTS } from '../../../base/run-report.ts';
import type { Completion, Lease, Outcome, Progress } from '../../../protocol/control-plane.ts';
import type { Dialect } from '../../../store/dialect.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Tx } from '../../../store/store.ts';
import { isGivenUp, lossDelayMs, retryDelayMs, SUSPECT_LOSSES, storedRetry } from '../run.ts';
import { endOf, failureOf, type OnRunFinished, type OnRunStarted, stepRowOf } from '../run-completion.ts';
import {
  type AttemptUpdate,
  type EndUpdate,
  type HistoryEntry,
  insertHistories,
  insertStepRows,
  type LockedRun,
  lockJobRunsOf,
  lockRuns,
  type ProgressUpdate,
  type RetryUpdate,
  type StepRow,
  selectCompleted,
  updateAcknowledged,
  updateAttempts,
  updateEnded,
  updateExpiries,
  updateProgresses,
  updateRetried,
} from './run-batch-store.ts';
import { suspectKind } from './run-kind.ts';
import { judgeLease } from './run-lease-store.ts';
import { unparkRuns } from './run-slot-store.ts';

/** What one batch is about. */
export interface BatchScope {
  /** Leases whose runs may start or end, and their job runs with them. */
  readonly moved: readonly Lease[];
  /** Leases that are judged, renewed or reported on. */
  readonly touched: readonly Lease[];
}

export interface BatchHooks {
  readonly onRunStarted: OnRunStarted;
  readonly onRunFinished: OnRunFinished;
}

const keyOf = ({ run_id, attempt, epoch }: Pick<Lease, 'run_id' | 'attempt' | 'epoch'>) =>
  `${run_id}/${attempt}/${epoch}`;

type MutableRun = { -readonly [Key in keyof LockedRun]: LockedRun[Key] };

/**
 * What executors say of their runs, many in one transaction. Modes: loaded, with all its rows locked (job runs, then runs by id);
 * changed in memory, message after message, so that each is judged by what those before it did; saved, by a few statements
 * whatever the number. Nothing is written before `save`.
 */
export class RunBatch {
  readonly #dialect: Dialect;
  readonly #runs: ReadonlyMap<number, MutableRun>;
  readonly #jobRunStatus: ReadonlyMap<number, string>;
  readonly #completed: Set<string>;
  /** The store's time. */
  readonly now: number;
  readonly #acknowledged = new Set<number>();
  readonly #begun = new Set<number>();
  readonly #renewed = new Set<number>();
  readonly #progress = new Map<number, ProgressUpdate>();
  readonly #ended: EndUpdate[] = [];
  readonly #retried: RetryUpdate[] = [];
  readonly #attempts: AttemptUpdate[] = [];
  readonly #steps: StepRow[] = [];
  readonly #history: HistoryEntry[] = [];
  readonly #freedKeys: string[] = [];

  private constructor(
    dialect: Dialect,
    runs: readonly LockedRun[],
    jobRuns: readonly { id: number; status: string }[],
    now: number,
    completed: readonly string[],
  ) {
    this.#dialect = dialect;
    this.#runs = new Map(runs.map((run) => [run.id, { ...run }]));
    this.#jobRunStatus = new Map(jobRuns.map(({ id, status }) => [id, status]));
    this.#completed = new Set(completed);
    this.now = now;
  }

  static async load(tx: Tx, dialect: Dialect, { moved, touched }: BatchScope): Promise<RunBatch> {
    const jobRuns = await lockJobRunsOf(tx, dialect, idsOf(moved));
    const all = idsOf([...moved, ...touched]);
    const { runs, now } =
      all.length === 0 ? { runs: [], now: await selectNow(tx, dialect) } : await lockRuns(tx, dialect, all);
    const byId = new Map(runs.map((run) => [run.id, run]));
    const isLate = (lease: Lease) => judgeLease(byId.get(lease.run_id) ?? null, lease) === 'STALE_LEASE';
    // No lease of ours has a NUL, and no store takes one.
    const late = moved.filter((lease) => isLate(lease) && !lease.token.includes('\0'));
    const completed = late.length === 0 ? [] : await selectCompleted(tx, dialect, late);
    return new RunBatch(dialect, runs, jobRuns, now, completed.map(keyOf));
  }

  judge(lease: Lease): Outcome {
    return judgeLease(this.#runs.get(lease.run_id) ?? null, lease);
  }

  acknowledge(lease: Lease): Outcome {
    const run = this.#runs.get(lease.run_id);
    const outcome = this.judge(lease);
    if (run === undefined || outcome !== 'ACCEPTED') return outcome;
    if (run.acknowledged === 1) return 'ALREADY_DONE';
    this.#begin(run);
    return 'ACCEPTED';
  }

  /**
   * Renews the lease; the answer has the run where it is to be cancelled. An assignment that was not acknowledged is not renewed:
   * it starts by its acknowledgement, or goes back to the queue.
   */
  renew(lease: Lease): { readonly outcome: Outcome; readonly cancelling: LockedRun | null } {
    const run = this.#runs.get(lease.run_id);
    const outcome = this.judge(lease);
    if (run === undefined || outcome !== 'ACCEPTED') return { outcome, cancelling: null };
    if (run.acknowledged === 1) this.#renewed.add(run.id);
    return { outcome, cancelling: run.status === 'cancelling' ? run : null };
  }

  progress({ lease, ...figures }: Progress): Outcome {
    const outcome = this.judge(lease);
    if (outcome !== 'ACCEPTED') return outcome;
    const finite = Number.isFinite(figures.rows_per_second) ? figures.rows_per_second : 0;
    const ratio = figures.ratio >= 0 ? Math.min(figures.ratio, 1) : null;
    const { rows_in, rows_out, rows_failed } = figures;
    const progress_json = JSON.stringify({ ...figures, rows_per_second: finite, ratio });
    this.#progress.set(lease.run_id, { id: lease.run_id, progress_json, rows_in, rows_out, rows_failed });
    return 'ACCEPTED';
  }

  /**
   * Takes a completion, exactly once; `ALREADY_DONE` for the same again. A retryable error with attempts left puts the run back
   * in the queue. Who completes a run has its assignment, though the acknowledgement may have been lost. `random` is in [0, 1).
   */
  complete(completion: Completion, random: number): Outcome {
    const { lease } = completion;
    const run = this.#runs.get(lease.run_id);
    const outcome = this.judge(lease);
    if (run === undefined || outcome !== 'ACCEPTED')
      return this.#completed.has(keyOf(lease)) ? 'ALREADY_DONE' : outcome;
    if (run.acknowledged === 0) this.#begin(run);
    this.#completed.add(keyOf(lease));
    const { run_id, attempt } = lease;
    const { status, last_log_seq } = completion;
    // The process of the run is gone, and its executor is there to say so.
    const isLoss = status === 'error' && completion.reason === 'executor_lost';
    this.#attempts.push({ run_id, attempt, outcome: isLoss ? 'lost' : status, last_log_seq });
    completion.steps.forEach((step, position) => {
      this.#steps.push({ ...stepRowOf(step), run_id, attempt, position });
    });
    if (isLoss) run.losses += 1;
    const again = status === 'error' && completion.retryable && run.attempt < run.max_attempts;
    if (isLoss && run.status === 'running' && !isGivenUp(run, run.losses)) {
      this.#requeue(run, completion, 'executor_lost', lossDelayMs(run.losses));
    } else if (again && !isLoss && run.status === 'running') {
      const rule = storedRetry(run);
      this.#requeue(run, completion, 'awaiting_retry', retryDelayMs(rule, run.attempt, random));
    } else this.#end(run, completion);
    if (run.concurrency_key !== null) this.#freedKeys.push(run.concurrency_key);
    return 'ACCEPTED';
  }

  /** The job of a run that was loaded; null for none. */
  jobOf(runId: number): number | null {
    return this.#runs.get(runId)?.job_id ?? null;
  }

  get retriedCount(): number {
    return this.#retried.length;
  }

  /** Writes it all; what the hooks do comes last. Whether something may have come to the queue. */
  async save(tx: Tx, leaseTtlMs: number, hooks: BatchHooks): Promise<boolean> {
    const dialect = this.#dialect;
    const { now } = this;
    const expires = now + leaseTtlMs;
    if (this.#acknowledged.size > 0)
      await updateAcknowledged(tx, dialect, [...this.#acknowledged], expires, now);
    if (this.#renewed.size > 0) await updateExpiries(tx, dialect, [...this.#renewed], expires);
    if (this.#progress.size > 0) await updateProgresses(tx, dialect, [...this.#progress.values()]);
    await dialect.together(tx, [
      ...(this.#attempts.length > 0 ? [updateAttempts(dialect, this.#attempts, now)] : []),
      ...(this.#steps.length > 0 ? [insertStepRows(dialect, this.#steps)] : []),
      ...(this.#retried.length > 0 ? [updateRetried(dialect, this.#retried)] : []),
      ...(this.#ended.length > 0 ? [updateEnded(dialect, this.#ended, now)] : []),
      ...(this.#history.length > 0 ? [insertHistories(dialect, this.#history, now)] : []),
    ]);
    const unparked = await unparkRuns(tx, dialect, this.#freedKeys);
    const moved = await this.#tellJobRuns(tx, hooks);
    return moved || unparked;
  }

  async #tellJobRuns(tx: Tx, { onRunStarted, onRunFinished }: BatchHooks): Promise<boolean> {
    const started = new Set<number>();
    for (const id of this.#begun) {
      const run = this.#runs.get(id);
      const jobRunId = run?.job_run_id ?? null;
      if (run === undefined || jobRunId === null || started.has(jobRunId)) continue;
      // Only its first run starts a job run; its row has been locked since its status was read.
      if (this.#jobRunStatus.get(jobRunId) === 'queued') await onRunStarted(tx, run);
      started.add(jobRunId);
    }
    let moved = false;
    for (const { id } of this.#ended) {
      const run = this.#runs.get(id);
      if (run === undefined) continue;
      await onRunFinished(tx, run);
      moved ||= run.job_run_id !== null;
    }
    return moved;
  }

  #begin(run: MutableRun): void {
    run.acknowledged = 1;
    run.started_at ??= this.now;
    this.#acknowledged.add(run.id);
    this.#begun.add(run.id);
  }

  #requeue(
    run: MutableRun,
    completion: Completion,
    reason: 'awaiting_retry' | 'executor_lost',
    delayMs: number,
  ): void {
    const error_json = jsonOf(failureOf(completion));
    const available_at = this.now + delayMs;
    const { id, losses } = run;
    const kind = losses >= SUSPECT_LOSSES ? suspectKind(run.kind) : run.kind;
    this.#retried.push({ id, error_json, available_at, reason, losses, kind });
    this.#log(run, 'queued', reason);
    run.status = 'queued';
    run.epoch += 1;
    run.lease_token = null;
  }

  #end(run: MutableRun, completion: Completion): void {
    const { status, reason, error } = endOf(completion, run);
    const counts = eachFigure(ROW_COUNTS, (name) => completion[name]);
    const { id, losses, started_at } = run;
    const { last_log_seq, args, outputs } = completion;
    // Its row is written once: the end says when it began.
    this.#acknowledged.delete(id);
    const received_args_json = jsonOf(args);
    this.#ended.push({
      id,
      status,
      reason,
      error_json: jsonOf(error),
      ...counts,
      received_args_json,
      outputs_json: outputs === null ? null : JSON.stringify(outputs),
      last_log_seq,
      losses,
      started_at,
    });
    this.#log(run, status, reason);
    run.status = status;
    run.reason = reason;
    run.ended_at = this.now;
  }

  #log({ id, status, attempt }: LockedRun, to_status: string, reason: string): void {
    this.#history.push({ run_id: id, from_status: status, to_status, reason, attempt });
  }
}

function idsOf(leases: readonly Lease[]): number[] {
  return [...new Set(leases.map((lease) => lease.run_id))];
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
