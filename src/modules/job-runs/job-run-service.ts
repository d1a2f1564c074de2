import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound } from '../../base/errors.ts';
import type { Cancel } from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { type Actor, systemActor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { DELETIONS_CHANNEL, deleteRuns } from '../deletions/deletion-store.ts';
import { lockRuns } from '../runs/queue/run-batch-store.ts';
import { lockRun } from '../runs/queue/run-lease-store.ts';
import { isActive, type RunRow } from '../runs/run.ts';
import {
  CANCEL_GRACE_DEFAULT_MS,
  type CancelRequest,
  cancelRunInside,
  type SentCancel,
} from '../runs/run-cancel.ts';
import { beingReplayed } from '../runs/run-service.ts';
import { selectNodeStates, selectReplayOf } from '../runs/run-store.ts';
import { type JobRunRow, type NodeState, reusedOf, storedPlan } from './job-run.ts';
import { advance, type Moving, type OnJobRunEnded } from './job-run-advance.ts';
import { refused } from './job-run-slots.ts';
import {
  type JobStart,
  type RunnableJob,
  type StartOutcome,
  type StartRequest,
  startJobRuns,
} from './job-run-start.ts';
import {
  deleteJobRuns,
  lockJobOf,
  lockJobRun,
  markJobRunCancelling,
  markJobRunStarted,
  markSlotTaken,
  selectActiveOfKey,
  selectJobRun,
  selectJobsWithWaiting,
  selectOverdueIds,
  selectWaitingOfJob,
} from './job-run-store.ts';

const WAITING_JOBS_MAX = 200;
const WAITING_PER_JOB_MAX = 200;
const OVERDUE_MAX = 200;

export interface JobRunsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Work is waiting: whoever claims is told, after the commit. */
  readonly wakeQueue: () => void;
  /** Tells the executor that holds a run, after the commit. Without it heartbeats' replies alone do. */
  readonly sendCancel?: (executorId: number, cancel: Cancel) => void;
  /** Called with each run that ends, inside its transaction, which may still fail. */
  readonly noteRunEnd?: (runId: number) => void;
  /** Default: nobody is told. */
  readonly onJobRunEnded?: OnJobRunEnded;
}

/** Job runs: a snapshot of configuration and template at the start, then node after node as their needs end. */
export class JobRuns {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #wakeQueue: () => void;
  readonly #sendCancel: JobRunsDeps['sendCancel'];
  readonly #noteRunEnd: JobRunsDeps['noteRunEnd'];
  readonly #onJobRunEnded: OnJobRunEnded;

  constructor(deps: JobRunsDeps) {
    const { store, clock, wakeQueue, sendCancel, noteRunEnd, onJobRunEnded = async () => {} } = deps;
    this.#store = store;
    this.#clock = clock;
    this.#wakeQueue = wakeQueue;
    this.#sendCancel = sendCancel;
    this.#noteRunEnd = noteRunEnd;
    this.#onJobRunEnded = onJobRunEnded;
  }

  /** After the commit: what was started is there to be claimed, and what was cancelled is told. */
  announce(cancels: readonly SentCancel[]): void {
    for (const { executorId, cancel } of cancels) this.#sendCancel?.(executorId, cancel);
    this.#wakeQueue();
  }

  /** Starts job runs inside the caller's transaction, which has locked their jobs; call `announce` after the commit. */
  async startManyInside(
    tx: Tx,
    starts: readonly JobStart[],
    actor: Actor,
  ): Promise<{ outcomes: StartOutcome[]; cancels: SentCancel[] }> {
    const now = await selectNow(tx, this.#store.dialect);
    const request: CancelRequest = { mode: 'graceful', graceMs: CANCEL_GRACE_DEFAULT_MS, reason: 'overlap' };
    return startJobRuns(tx, starts, {
      dialect: this.#store.dialect,
      now,
      actor,
      onJobRunEnded: this.#onJobRunEnded,
      cancelOverlapped: async (id) => {
        const row = await lockJobRun(tx, this.#store.dialect, id);
        return row === null || row.ended_at !== null ? [] : this.cancelInside(tx, row, request, systemActor);
      },
    });
  }

  /** As `startManyInside`, for one; `CONFLICT` where it was refused. */
  async startInside(
    tx: Tx,
    start: JobStart,
    actor: Actor,
  ): Promise<{ row: JobRunRow; cancels: SentCancel[] }> {
    const { outcomes, cancels } = await this.startManyInside(tx, [start], actor);
    const outcome = outcomes[0];
    if (outcome === undefined) throw new Error('nothing was started');
    if (outcome.outcome === 'refused') throw refused(outcome.message);
    return { row: outcome.row, cancels };
  }

  async start(job: RunnableJob, request: StartRequest, actor: Actor): Promise<JobRunRow> {
    const { row, cancels } = await this.#store.write((tx) => this.startInside(tx, { job, request }, actor));
    this.announce(cancels);
    return row;
  }

  /** `OnRunFinished` of runs: starts what follows, or ends the job run. Two nodes that end at once come one after the other. */
  readonly onRunFinished = async (tx: Tx, run: Pick<RunRow, 'id' | 'job_run_id'>): Promise<void> => {
    this.#noteRunEnd?.(run.id);
    if (run.job_run_id === null) return;
    const row = await lockJobRun(tx, this.#store.dialect, run.job_run_id);
    if (row === null || row.ended_at !== null) return;
    const now = await selectNow(tx, this.#store.dialect);
    await advance(tx, [await movingOf(tx, row)], { now, onJobRunEnded: this.#onJobRunEnded });
  };

  readonly onRunStarted = async (tx: Tx, run: Pick<RunRow, 'job_run_id'>): Promise<void> => {
    if (run.job_run_id !== null)
      await markJobRunStarted(tx, run.job_run_id, await selectNow(tx, this.#store.dialect));
  };

  /** `row` is locked and active. */
  async cancelInside(tx: Tx, row: JobRunRow, request: CancelRequest, actor: Actor): Promise<SentCancel[]> {
    const now = await selectNow(tx, this.#store.dialect);
    const reason = request.reason ?? 'user';
    await markJobRunCancelling(tx, row.id, reason);
    const cancels: SentCancel[] = [];
    for (const node of await selectNodeStates(tx, row.id)) {
      const run = isActive(node.status) ? await lockRun(tx, this.#store.dialect, node.id) : null;
      if (run === null || !isActive(run.status)) continue;
      const sent = await cancelRunInside(tx, run, request, { now, onRunFinished: this.onRunFinished });
      if (sent !== null) cancels.push(sent);
    }
    const after = await selectJobRun(tx, row.id);
    if (after?.status === 'cancelling')
      await advance(tx, [await movingOf(tx, after)], { now, onJobRunEnded: this.#onJobRunEnded });
    const diff = { mode: request.mode, grace_ms: request.graceMs, reason };
    const entry = { action: 'job_run.cancel', resourceType: 'job_run', resourceId: row.id, diff };
    await insertAudit(tx, actor, entry, this.#clock.now());
    return cancels;
  }

  async cancel(id: number, request: CancelRequest, actor: Actor): Promise<JobRunRow> {
    const { row, cancels } = await this.#store.write(async (tx) => {
      const found = requireFound(await lockJobRun(tx, this.#store.dialect, id), 'job run', id);
      if (found.ended_at !== null)
        throw new AppError('CONFLICT', `The job run "${id}" has ended already: ${found.status}`);
      const sent = await this.cancelInside(tx, found, request, actor);
      return { row: (await selectJobRun(tx, id)) ?? found, cancels: sent };
    });
    this.announce(cancels);
    return row;
  }

  /** With its runs; what belongs to those follows in the background. `VALIDATION_ERROR` while it is active, `CONFLICT` while its dead letters are replayed. */
  async remove(id: number, actor: Actor): Promise<void> {
    await this.#store.write(async (tx) => {
      const row = requireFound(await lockJobRun(tx, this.#store.dialect, id), 'job run', id);
      if (row.ended_at === null)
        throw new AppError(
          'VALIDATION_ERROR',
          `The job run "${id}" is ${row.status}: cancel it before you delete it`,
        );
      const runs = await selectNodeStates(tx, id);
      const runIds = runs.map((run) => run.id);
      // Before it is looked whether their letters are replayed: a replay locks the runs too.
      if (runIds.length > 0) await lockRuns(tx, this.#store.dialect, runIds);
      const replay = await selectReplayOf(tx, runIds);
      if (replay !== null) throw beingReplayed(`job run "${id}"`, replay);
      await deleteRuns(tx, runIds, this.#clock.now());
      await deleteJobRuns(tx, [id]);
      const entry = { action: 'job_run.delete', resourceType: 'job_run', resourceId: id };
      await insertAudit(tx, actor, entry, this.#clock.now());
    });
    this.#store.notify(DELETIONS_CHANNEL);
  }

  /** Gives free slots to job runs that wait for one, oldest first. Any control plane may, at any time. Returns the starts. */
  readonly startWaiting = async (): Promise<number> => {
    let started = 0;
    for (const jobId of await selectJobsWithWaiting(this.#store.read, WAITING_JOBS_MAX)) {
      const starts = await this.#store.write((tx) => this.#startWaitingOf(tx, jobId));
      started += starts;
    }
    if (started > 0) this.#wakeQueue();
    return started;
  };

  async #startWaitingOf(tx: Tx, jobId: number): Promise<number> {
    await lockJobOf(tx, this.#store.dialect, jobId);
    const full = new Set<string>();
    let started = 0;
    for (const { id, concurrency_key } of await selectWaitingOfJob(tx, jobId, WAITING_PER_JOB_MAX)) {
      const key = concurrency_key ?? '';
      const row = full.has(key) ? null : await lockJobRun(tx, this.#store.dialect, id);
      if (row === null || row.status !== 'queued' || row.held_reason === null) continue;
      const moving = await movingOf(tx, row);
      const active = (await selectActiveOfKey(tx, key)).filter((other) => other.held_reason === null);
      if (active.length >= (moving.plan.concurrency?.limit ?? Number.POSITIVE_INFINITY)) {
        full.add(key);
        continue;
      }
      await markSlotTaken(tx, row);
      const now = await selectNow(tx, this.#store.dialect);
      await advance(tx, [{ ...moving, row: { ...row, reason: row.held_reason } }], {
        now,
        onJobRunEnded: this.#onJobRunEnded,
      });
      started += 1;
    }
    return started;
  }

  /** Cancels job runs that are past their deadline: it ends as `error` with the reason `timeout`. Returns how many. */
  readonly expire = async (): Promise<number> => {
    const graceful = { mode: 'graceful', graceMs: CANCEL_GRACE_DEFAULT_MS, reason: 'timeout' } as const;
    const overdue = await selectOverdueIds(
      this.#store.read,
      await selectNow(this.#store.read, this.#store.dialect),
      OVERDUE_MAX,
    );
    for (const id of overdue) {
      const cancels = await this.#store.write(async (tx) => {
        const row = await lockJobRun(tx, this.#store.dialect, id);
        if (row === null || (row.status !== 'queued' && row.status !== 'running')) return [];
        return this.cancelInside(tx, row, graceful, systemActor);
      });
      this.announce(cancels);
    }
    return overdue.length;
  };
}

async function movingOf(tx: Tx, row: JobRunRow): Promise<Moving> {
  const states = new Map<string, NodeState>(Object.entries(reusedOf(row)));
  for (const run of await selectNodeStates(tx, row.id))
    if (run.task_key !== null) states.set(run.task_key, run);
  return { row, plan: storedPlan(row), states };
}
