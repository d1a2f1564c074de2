import { EventEmitter } from 'node:events';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type {
  Cancel,
  Checkpoint,
  Completion,
  ConnectorSpec,
  ControlPlane,
  DeadLetterBatch,
  ExecutorIdentity,
  Fenced,
  HeartbeatReply,
  Lease,
  LeaseOutcome,
  LogAck,
  LogFrame,
  MetricAck,
  MetricBatch,
  Outcome,
  Progress,
  RegisterRequest,
  Registration,
  RunSpec,
  SaveCheckpoint,
} from '../../protocol/control-plane.ts';
import type { Store } from '../../store/store.ts';
import { insertDeadLetters } from '../dead-letters/dead-letter-store.ts';
import { EXECUTOR_LIMITS, HELD_LEASES_MAX } from '../executors/executor.ts';
import type { Executors } from '../executors/executor-service.ts';
import { touchExecutor } from '../executors/executor-store.ts';
import { selectJobState, upsertJobState } from '../jobs/job-state-store.ts';
import { isActive, type RunArgs, type RunRow } from '../runs/run.ts';
import { completeRun, type OnRunFinished, type OnRunStarted } from '../runs/run-completion.ts';
import {
  fence,
  fenceInJobRun,
  isNewest,
  judgeLease,
  markAcknowledged,
  renewLeases,
  selectNow,
} from '../runs/run-lease-store.ts';
import { LATE_LOGS_MS } from '../runs/run-log.ts';
import type { RunLogWriter } from '../runs/run-log-writer.ts';
import { selectLeaseState, selectRun, updateProgress } from '../runs/run-store.ts';

export interface IntakeDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: () => number;
  readonly executors: Executors;
  readonly logs: RunLogWriter;
  readonly onRunFinished: OnRunFinished;
  readonly onRunStarted: OnRunStarted;
  /** Configurations with their secrets, made at assignment and never at enqueue. */
  readonly connectorSpecs: (
    connectors: Readonly<Record<string, number>>,
  ) => Promise<Readonly<Record<string, ConnectorSpec>>>;
  readonly metricsBackends: () => Promise<RunSpec['metrics']>;
  readonly storeMetrics: (run: RunRow, batch: MetricBatch) => Promise<void>;
  readonly published: (runId: number) => void;
}

const WORK = 'work';

/** The control plane's end of the executor contract. Both bindings, gRPC and HTTP, call this and nothing else. */
export class Intake implements ControlPlane {
  readonly #deps: IntakeDeps;
  readonly #cancels = new EventEmitter().setMaxListeners(0);

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
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

  async heartbeat(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<HeartbeatReply> {
    const { store } = this.#deps;
    if (leases.length > HELD_LEASES_MAX)
      throw new AppError('VALIDATION_ERROR', `An executor holds at most ${HELD_LEASES_MAX} leases`);
    return store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      await touchExecutor(tx, executor.executor_id, now);
      const { outcomes, cancelling } = await renewLeases(
        tx,
        store.dialect,
        leases,
        now + EXECUTOR_LIMITS.lease_ttl_ms,
      );
      return { leases: outcomes, cancels: cancelling.map((run) => cancelOf(run, now)) };
    });
  }

  async acknowledge(lease: Lease): Promise<Outcome> {
    const { store, onRunStarted, published } = this.#deps;
    const outcome = await store.write(async (tx) => {
      const fenced = await fenceInJobRun(tx, store.dialect, lease);
      if (fenced.outcome !== 'ACCEPTED') return fenced.outcome;
      if (fenced.run.acknowledged === 1) return 'ALREADY_DONE';
      const now = await selectNow(tx, store.dialect);
      await markAcknowledged(tx, fenced.run, now + EXECUTOR_LIMITS.lease_ttl_ms, now);
      await onRunStarted(tx, fenced.run);
      return 'ACCEPTED';
    });
    if (outcome === 'ACCEPTED') published(lease.run_id);
    return outcome;
  }

  async progress(progress: Progress): Promise<Outcome> {
    const { lease, ...figures } = progress;
    const finite = (value: number) => (Number.isFinite(value) ? value : 0);
    const shown = {
      ...figures,
      rows_per_second: finite(figures.rows_per_second),
      ratio: figures.ratio >= 0 ? Math.min(figures.ratio, 1) : null,
    };
    const outcome = await this.#deps.store.write(async (tx): Promise<Outcome> => {
      const outcome = judgeLease(await selectLeaseState(tx, lease.run_id), lease);
      if (outcome !== 'ACCEPTED') return outcome;
      return (await updateProgress(tx, lease.run_id, lease.epoch, shown)) ? 'ACCEPTED' : 'STALE_LEASE';
    });
    if (outcome === 'ACCEPTED') this.#deps.published(lease.run_id);
    return outcome;
  }

  async complete(completion: Completion): Promise<Outcome> {
    const { store, random, onRunStarted, onRunFinished, published } = this.#deps;
    const outcome = await store.write(async (tx) => {
      const now = await selectNow(tx, store.dialect);
      const context = { dialect: store.dialect, now, random: random(), onRunStarted, onRunFinished };
      return completeRun(tx, completion, context);
    });
    if (outcome === 'ACCEPTED') {
      published(completion.lease.run_id);
      store.notify(WORK);
    }
    return outcome;
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
    const outcome = judgeReport(run, batch.lease, await selectNow(store.read, store.dialect));
    if (run !== null && outcome === 'ACCEPTED') await this.#deps.storeMetrics(run, batch);
    return { run_id, attempt, outcome, batch_seq: batch.batch_seq };
  }

  async runSpec(lease: Lease): Promise<Fenced<RunSpec>> {
    const run = await selectRun(this.#deps.store.read, lease.run_id);
    const outcome = judgeLease(run, lease);
    if (run === null || outcome !== 'ACCEPTED')
      return { outcome: outcome === 'ACCEPTED' ? 'RUN_ABSENT' : outcome };
    const args = JSON.parse(run.args_json) as RunArgs;
    const connectors = await this.#deps.connectorSpecs(
      JSON.parse(run.connectors_json) as Record<string, number>,
    );
    return {
      outcome,
      value: {
        task_name: run.task_name,
        task_version: run.task_version,
        yaml: run.yaml_content,
        args: args.values,
        args_template: args.template,
        when_expr: args.when ?? '',
        job_config: JSON.parse(run.config_json) as Record<string, unknown>,
        connectors,
        run: runScope(run),
        timeout_ms: run.timeout_ms,
        metrics: await this.#deps.metricsBackends(),
      },
    };
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

  /** A run without a job has nowhere to keep a state: it is accepted, and the next such run begins anew. */
  async saveCheckpoint(
    request: SaveCheckpoint,
  ): Promise<Fenced<{ readonly version: number; readonly stored: boolean }>> {
    const { store, clock } = this.#deps;
    return store.write(async (tx) => {
      const fenced = await fence(tx, store.dialect, request.lease);
      if (fenced.outcome !== 'ACCEPTED') return fenced;
      const { job_id, task_key } = fenced.run;
      if (job_id === null)
        return { outcome: 'ACCEPTED', value: { version: request.expected_version + 1, stored: true } };
      const where = { jobId: job_id, taskKey: task_key ?? '', name: request.name };
      return {
        outcome: 'ACCEPTED',
        value: await upsertJobState(tx, where, request.value, request.expected_version, clock.now()),
      };
    });
  }

  async putDeadLetters(
    batch: DeadLetterBatch,
  ): Promise<{ readonly outcome: Outcome; readonly acked_seq: number }> {
    const { store, clock } = this.#deps;
    return store.write(async (tx) => {
      const fenced = await fence(tx, store.dialect, batch.lease);
      if (fenced.outcome !== 'ACCEPTED') return { outcome: fenced.outcome, acked_seq: 0 };
      await insertDeadLetters(tx, fenced.run, batch, clock.now());
      return { outcome: 'ACCEPTED', acked_seq: batch.first_seq + batch.items.length - 1 };
    });
  }

  onWork(listener: () => void): () => void {
    return this.#deps.store.listen(WORK, listener);
  }

  onCancel(executorId: number, listener: (cancel: Cancel) => void): () => void {
    const event = String(executorId);
    this.#cancels.on(event, listener);
    return () => this.#cancels.off(event, listener);
  }

  /** Pushed where this control plane holds the session; every heartbeat's reply repeats it wherever that is. */
  sendCancel(executorId: number, cancel: Cancel): void {
    this.#cancels.emit(String(executorId), cancel);
  }
}

function cancelOf(
  run: Pick<RunRow, 'id' | 'attempt' | 'cancel_requested' | 'cancel_deadline'>,
  now: number,
): Cancel {
  const graceMs = Math.max(0, (run.cancel_deadline ?? now) - now);
  return { run_id: run.id, attempt: run.attempt, force: run.cancel_requested === 2, grace_ms: graceMs };
}

/** Metrics are taken for a little longer than the run: its last batch may come after its completion. */
function judgeReport(run: RunRow | null, lease: Lease, now: number): Outcome {
  if (run === null) return 'RUN_ABSENT';
  const inTime = isActive(run.status) || now - (run.ended_at ?? 0) <= LATE_LOGS_MS;
  return isNewest(run, lease) && inTime ? 'ACCEPTED' : 'STALE_LEASE';
}

function runScope(run: RunRow): Record<string, unknown> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: run.id,
    attempt: run.attempt,
    task_key: run.task_key,
    scheduled_for: time(run.scheduled_for),
    interval_start: null,
    interval_end: time(run.scheduled_for),
  };
}
