import type { Clock } from '../../base/clock.ts';
import { RunGroup } from '../../base/concurrency/batcher.ts';
import type { PartsAnswer } from '../../base/run-parts.ts';
import type { ServerMeter } from '../../base/server-meter.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import type {
  Cancel,
  Checkpoint,
  Completion,
  ControlPlane,
  DeadLetterBatch,
  ExecutorIdentity,
  ExecutorLimits,
  Fenced,
  HeartbeatReply,
  Lease,
  LeaseOutcome,
  LogAck,
  LogFrame,
  MetricAck,
  MetricBatch,
  Outcome,
  PartsRequest,
  Progress,
  RegisterRequest,
  Registration,
  ReplayRows,
  RunSpec,
  SaveCheckpoint,
} from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import { replayRowsAfter } from '../dead-letters/dead-letter-replays.ts';
import { insertDeadLetters } from '../dead-letters/dead-letter-store.ts';
import type { CancelRelay } from '../executors/cancel-relay.ts';
import { EXECUTOR_LIMITS } from '../executors/executor.ts';
import type { Executors } from '../executors/executor-service.ts';
import { selectJobState, upsertJobState } from '../jobs/job-state-store.ts';
import { LATE_LOGS_MS } from '../run-logs/run-log.ts';
import type { RunLogWriter } from '../run-logs/run-log-writer.ts';
import type { RunSecrets } from '../run-logs/run-secrets.ts';
import type { RunParts } from '../runs/parts/run-parts.ts';
import { fence, isLastLease, judgeLease } from '../runs/queue/run-lease-store.ts';
import { isActive, type RunRow } from '../runs/run.ts';
import type { OnRunFinished, OnRunStarted } from '../runs/run-completion.ts';
import { selectRun, selectRunsById } from '../runs/run-store.ts';
import {
  redactedCompletion,
  redactedDeadLetters,
  redactedMetrics,
  redactedParts,
  redactedProgress,
  saysNothing,
} from './redacted.ts';
import { RunSpecs, type RunSpecsDeps } from './run-specs.ts';
import { RunWrites } from './run-writes.ts';
import type { OnTargetsChanged } from './schema-follow-ups.ts';

export interface IntakeDeps extends RunSpecsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly executors: Executors;
  readonly cancels: CancelRelay;
  readonly logs: RunLogWriter;
  readonly parts: RunParts;
  readonly onRunFinished: OnRunFinished;
  readonly onRunStarted: OnRunStarted;
  readonly onTargetsChanged: OnTargetsChanged;
  /** The same of one attempt of a run. */
  readonly runSecrets: RunSecrets;
  readonly storeMetrics: (run: RunRow, batch: MetricBatch) => Promise<void>;
  readonly published: (runId: number) => void;
  readonly limits?: ExecutorLimits;
  readonly meter?: ServerMeter;
}

const WORK = 'work';
const READ_TOGETHER_MAX = 32;

/** The control plane's end of the executor contract. Both bindings, gRPC and HTTP, call this and nothing else. */
export class Intake implements ControlPlane {
  readonly #deps: IntakeDeps;
  readonly #writes: RunWrites;
  readonly #specs: RunSpecs;
  /** Runs that start together are read together. */
  readonly #reads: RunGroup<number, RunRow | null>;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    this.#specs = new RunSpecs(deps);
    this.#writes = new RunWrites({ ...deps, limits: deps.limits ?? EXECUTOR_LIMITS });
    this.#reads = new RunGroup({
      handle: (ids) => selectRunsById(deps.store.read, ids),
      weightOf: () => 1,
      weightMax: READ_TOGETHER_MAX,
    });
  }

  register(request: RegisterRequest): Promise<Registration> {
    return this.#deps.executors.register(request);
  }

  authenticate(identity: ExecutorIdentity): Promise<void> {
    return this.#deps.executors.authenticate(identity);
  }

  claim(executor: ExecutorIdentity, count: number) {
    return this.#deps.executors.claim(executor, count);
  }

  drain(executor: ExecutorIdentity): Promise<void> {
    return this.#deps.executors.drain(executor);
  }

  deregister(executor: ExecutorIdentity): Promise<number> {
    return this.#deps.executors.deregister(executor);
  }

  async attach(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<readonly LeaseOutcome[]> {
    return (await this.heartbeat(executor, leases)).leases;
  }

  heartbeat(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<HeartbeatReply> {
    return this.#writes.heartbeat(executor, leases);
  }

  acknowledge(lease: Lease): Promise<Outcome> {
    return this.#writes.acknowledge(lease);
  }

  async progress(progress: Progress): Promise<Outcome> {
    return this.#writes.progress(redactedProgress(progress, await this.#redactorOf(progress.lease)));
  }

  async complete(completion: Completion): Promise<Outcome> {
    if (saysNothing(completion)) return this.#writes.complete(completion);
    return this.#writes.complete(redactedCompletion(completion, await this.#redactorOf(completion.lease)));
  }

  async appendLogs(frame: LogFrame): Promise<LogAck> {
    const ack = await this.#deps.logs.append(frame);
    if (ack.outcome === 'ACCEPTED') this.#deps.published(ack.run_id);
    return ack;
  }

  async reportMetrics(batch: MetricBatch): Promise<MetricAck> {
    const { run_id, attempt } = batch.lease;
    const { store } = this.#deps;
    const run = await selectRun(store.read, run_id);
    const outcome = await this.#judgeReport(run, batch.lease);
    if (run !== null && outcome === 'ACCEPTED')
      await this.#deps.storeMetrics(run, redactedMetrics(batch, await this.#redactorOf(batch.lease)));
    return { run_id, attempt, outcome, batch_seq: batch.batch_seq };
  }

  /** Metrics are taken for a little longer than the run: its last batch may come after its completion. */
  async #judgeReport(run: RunRow | null, lease: Lease): Promise<Outcome> {
    if (run === null || isActive(run.status)) return judgeLease(run, lease);
    const { store } = this.#deps;
    const now = await selectNow(store.read, store.dialect);
    const inTime = now - (run.ended_at ?? 0) <= LATE_LOGS_MS;
    return inTime && (await isLastLease(store.read, run, lease)) ? 'ACCEPTED' : 'STALE_LEASE';
  }

  async runSpec(lease: Lease): Promise<Fenced<RunSpec>> {
    const run = await this.#reads.ask(lease.run_id);
    const outcome = judgeLease(run, lease);
    if (run === null || outcome !== 'ACCEPTED')
      return { outcome: outcome === 'ACCEPTED' ? 'RUN_ABSENT' : outcome };
    return { outcome, value: await this.#specs.of(run) };
  }

  async replayRows(lease: Lease, after: number): Promise<Fenced<ReplayRows>> {
    const run = await this.#reads.ask(lease.run_id);
    const outcome = judgeLease(run, lease);
    if (run === null || outcome !== 'ACCEPTED')
      return { outcome: outcome === 'ACCEPTED' ? 'RUN_ABSENT' : outcome };
    return { outcome, value: await replayRowsAfter(this.#deps.store.read, run.id, after) };
  }

  async checkpoint(lease: Lease, name: string): Promise<Fenced<Checkpoint>> {
    const run = await selectRun(this.#deps.store.read, lease.run_id);
    const outcome = judgeLease(run, lease);
    if (run === null || outcome !== 'ACCEPTED')
      return { outcome: outcome === 'ACCEPTED' ? 'RUN_ABSENT' : outcome };
    if (run.job_id === null) return { outcome, value: { value: null, version: 0 } };
    const state = await selectJobState(this.#deps.store.read, run.job_id, run.task_key ?? '', name);
    return { outcome, value: state ?? { value: null, version: 0 } };
  }

  /**
   * A run without a job has nowhere to keep a state: it is accepted, and the next such run begins anew. A replay moves none: its
   * rows say nothing of what has been read.
   */
  async saveCheckpoint(
    request: SaveCheckpoint,
  ): Promise<Fenced<{ readonly version: number; readonly stored: boolean }>> {
    const { store, clock } = this.#deps;
    return store.write(async (tx) => {
      const fenced = await fence(tx, store.dialect, request.lease);
      if (fenced.outcome !== 'ACCEPTED') return fenced;
      const { job_id, task_key, replay_step } = fenced.run;
      if (job_id === null || replay_step !== null)
        return { outcome: 'ACCEPTED', value: { version: request.expected_version + 1, stored: true } };
      const where = { jobId: job_id, taskKey: task_key ?? '', name: request.name };
      return {
        outcome: 'ACCEPTED',
        value: await upsertJobState(tx, where, request.value, request.expected_version, clock.now()),
      };
    }, 'checkpoint');
  }

  async parts({ lease, ...ask }: PartsRequest): Promise<Fenced<PartsAnswer>> {
    return this.#deps.parts.answer(lease, redactedParts(ask, await this.#redactorOf(lease)));
  }

  async putDeadLetters(
    batch: DeadLetterBatch,
  ): Promise<{ readonly outcome: Outcome; readonly acked_seq: number }> {
    const { store, clock } = this.#deps;
    const redacted = redactedDeadLetters(batch, await this.#redactorOf(batch.lease));
    return store.write(async (tx) => {
      const fenced = await fence(tx, store.dialect, batch.lease);
      if (fenced.outcome !== 'ACCEPTED') return { outcome: fenced.outcome, acked_seq: 0 };
      await insertDeadLetters(tx, store.dialect, fenced.run, redacted, clock.now());
      return { outcome: 'ACCEPTED', acked_seq: batch.first_seq + batch.items.length - 1 };
    });
  }

  #redactorOf({ run_id, attempt }: Lease): Promise<Redactor> {
    return this.#deps.runSecrets.redactorOf(run_id, attempt);
  }

  onWork(listener: () => void): () => void {
    return this.#deps.store.listen(WORK, listener);
  }

  onCancel(executorId: number, listener: (cancel: Cancel) => void): () => void {
    return this.#deps.cancels.listen(executorId, listener);
  }
}
