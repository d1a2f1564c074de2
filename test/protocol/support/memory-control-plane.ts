import { AppError } from '../../../src/base/errors.ts';
import { randomHex, secretsEqual } from '../../../src/base/ids.ts';
import type { PartsAnswer } from '../../../src/base/run-parts.ts';
import type {
  Assignment,
  Cancel,
  Checkpoint,
  Completion,
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
  PartsRequest,
  Progress,
  RegisterRequest,
  Registration,
  ReplayRows,
  RunSpec,
  SaveCheckpoint,
} from '../../../src/protocol/control-plane.ts';
import { PROTOCOL_VERSION } from '../../../src/protocol/control-plane.ts';
import { leaseTokenOf } from '../../../src/protocol/held-leases.ts';
import { decodeLogFrame } from '../../../src/protocol/wire/log/log-frame.ts';
import { type MemoryRun, newRun } from './memory-run.ts';
import { LIMITS } from './samples.ts';

const REPLAY_PAGE = 2;

export type Operation = Exclude<keyof ControlPlane, 'onWork' | 'onCancel'>;

/**
 * A control plane in memory, with the contract's rules: leases are fenced, logs are dense, replays change nothing. `before`
 * lets a test delay or fail an operation before it does anything.
 */
export class MemoryControlPlane implements ControlPlane {
  oldestProtocol = PROTOCOL_VERSION - 1;
  readonly calls: Operation[] = [];
  readonly runs = new Map<number, MemoryRun>();
  readonly drained = new Set<number>();
  readonly sessionTokens = new Map<number, string>();
  before: (operation: Operation) => Promise<void> | void = () => undefined;
  readonly #executors = new Map<string, number>();
  readonly #workListeners = new Set<() => void>();
  readonly #cancelListeners = new Map<number, Set<(cancel: Cancel) => void>>();

  /** Puts a run into the queue and wakes whoever waits for work. */
  enqueue(spec: Partial<RunSpec> = {}): MemoryRun {
    const run_id = this.runs.size + 1;
    const run = newRun(run_id, spec);
    this.runs.set(run_id, run);
    for (const listener of this.#workListeners) listener();
    return run;
  }

  /** Takes the run from its executor: a newer lease exists from now on. */
  requeue(run: MemoryRun): void {
    run.lease = { ...run.lease, epoch: run.lease.epoch + 1, token: randomHex(8) };
    run.holder = null;
    run.status = 'queued';
  }

  cancel(run: MemoryRun): void {
    const { run_id, attempt } = run.lease;
    run.cancel = { run_id, attempt, force: false, grace_ms: 1_000 };
    for (const listener of this.#cancelListeners.get(run.holder ?? 0) ?? []) listener(run.cancel);
  }

  listeners(): number {
    let count = this.#workListeners.size;
    for (const set of this.#cancelListeners.values()) count += set.size;
    return count;
  }

  async register(request: RegisterRequest): Promise<Registration> {
    await this.#begin('register');
    if (request.protocol_version < this.oldestProtocol) {
      throw new AppError('VALIDATION_ERROR', `Protocol "${request.protocol_version}" is too old; upgrade`);
    }
    const instance = `${request.name}/${request.instance_id}`;
    const executor_id = this.#executors.get(instance) ?? this.#executors.size + 1;
    this.#executors.set(instance, executor_id);
    const session_token = randomHex(16);
    this.sessionTokens.set(executor_id, session_token);
    return { executor_id, session_token, protocol_version: PROTOCOL_VERSION, limits: LIMITS };
  }

  async authenticate({ executor_id, session_token }: ExecutorIdentity): Promise<void> {
    await this.#begin('authenticate');
    const known = this.sessionTokens.get(executor_id);
    if (known === undefined || !secretsEqual(known, session_token)) {
      throw new AppError('AUTH_ERROR', 'The session token is not this executor\'s; call "Register" again');
    }
  }

  async attach(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<readonly LeaseOutcome[]> {
    await this.#begin('attach');
    return leases.map((lease) => this.#renew(executor, lease));
  }

  async claim(executor: ExecutorIdentity, count: number): Promise<readonly Assignment[]> {
    await this.#begin('claim');
    if (this.drained.has(executor.executor_id)) return [];
    const queued = [...this.runs.values()].filter((run) => run.status === 'queued').slice(0, count);
    return queued.map((run) => {
      const token = leaseTokenOf(executor.executor_id);
      run.lease = { ...run.lease, epoch: run.lease.epoch + 1, token };
      run.holder = executor.executor_id;
      run.status = 'assigned';
      return { lease: run.lease, lease_ttl_ms: LIMITS.lease_ttl_ms, task_name: run.spec.task_name };
    });
  }

  async acknowledge(lease: Lease): Promise<Outcome> {
    await this.#begin('acknowledge');
    const run = this.#fenced(lease);
    if (typeof run === 'string') return run;
    if (run.status === 'running') return 'ALREADY_DONE';
    run.status = 'running';
    return 'ACCEPTED';
  }

  async heartbeat(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<HeartbeatReply> {
    await this.#begin('heartbeat');
    const held = [...this.runs.values()].filter((run) => run.holder === executor.executor_id);
    const cancels = held.flatMap((run) =>
      run.cancel !== null && run.status !== 'ended' ? [run.cancel] : [],
    );
    return { leases: leases.map((lease) => this.#renew(executor, lease)), cancels };
  }

  async progress(progress: Progress): Promise<Outcome> {
    await this.#begin('progress');
    const run = this.#fenced(progress.lease);
    if (typeof run === 'string') return run;
    run.progress.push(progress);
    return 'ACCEPTED';
  }

  async complete(completion: Completion): Promise<Outcome> {
    await this.#begin('complete');
    const run = this.#fenced(completion.lease);
    if (typeof run === 'string') return run;
    if (run.completion !== null) return 'ALREADY_DONE';
    run.completion = completion;
    run.status = 'ended';
    return 'ACCEPTED';
  }

  async appendLogs(frame: LogFrame): Promise<LogAck> {
    await this.#begin('appendLogs');
    const { lease, first_seq, lines } = decodeLogFrame(frame);
    const { run_id, attempt } = lease;
    const ack = { run_id, attempt, resend_from: 0, window_bytes: 1_000_000 };
    const run = this.#fenced(lease);
    if (typeof run === 'string') return { ...ack, outcome: run, acked_seq: 0 };
    const acked = run.lines.length;
    if (first_seq > acked + 1) {
      return { ...ack, outcome: 'ACCEPTED', acked_seq: acked, resend_from: acked + 1 };
    }
    const fresh = lines.slice(acked + 1 - first_seq);
    run.lines.push(...fresh);
    return {
      ...ack,
      outcome: fresh.length === 0 ? 'ALREADY_DONE' : 'ACCEPTED',
      acked_seq: run.lines.length,
    };
  }

  async reportMetrics(batch: MetricBatch): Promise<MetricAck> {
    await this.#begin('reportMetrics');
    const { run_id, attempt } = batch.lease;
    const ack = { run_id, attempt, batch_seq: batch.batch_seq };
    const run = this.#fenced(batch.lease);
    if (typeof run === 'string') return { ...ack, outcome: run };
    if (run.metrics.has(batch.batch_seq)) return { ...ack, outcome: 'ALREADY_DONE' };
    run.metrics.set(batch.batch_seq, batch);
    return { ...ack, outcome: 'ACCEPTED' };
  }

  async runSpec(lease: Lease): Promise<Fenced<RunSpec>> {
    await this.#begin('runSpec');
    const run = this.#fenced(lease);
    return typeof run === 'string' ? { outcome: run } : { outcome: 'ACCEPTED', value: run.spec };
  }

  async replayRows(lease: Lease, after: number): Promise<Fenced<ReplayRows>> {
    await this.#begin('replayRows');
    const run = this.#fenced(lease);
    if (typeof run === 'string') return { outcome: run };
    const rows = run.replayRows.filter(({ letter_id }) => letter_id > after).slice(0, REPLAY_PAGE);
    return { outcome: 'ACCEPTED', value: { rows } };
  }

  async checkpoint(lease: Lease, name: string): Promise<Fenced<Checkpoint>> {
    await this.#begin('checkpoint');
    const run = this.#fenced(lease);
    if (typeof run === 'string') return { outcome: run };
    return { outcome: 'ACCEPTED', value: run.checkpoints.get(name) ?? { value: null, version: 0 } };
  }

  async saveCheckpoint({ lease, name, value, expected_version }: SaveCheckpoint) {
    await this.#begin('saveCheckpoint');
    const run = this.#fenced(lease);
    if (typeof run === 'string') return { outcome: run };
    const version = run.checkpoints.get(name)?.version ?? 0;
    const stored = version === expected_version;
    if (stored) run.checkpoints.set(name, { value, version: version + 1 });
    return { outcome: 'ACCEPTED' as const, value: { version: stored ? version + 1 : version, stored } };
  }

  async parts({ lease, ...ask }: PartsRequest): Promise<Fenced<PartsAnswer>> {
    await this.#begin('parts');
    const run = this.#fenced(lease);
    if (typeof run === 'string') return { outcome: run };
    run.partsAsks.push(ask);
    const part = ask.wants ? { number: 2, take: 3 } : null;
    const others = ask.ended === null ? [] : [ask.ended];
    return { outcome: 'ACCEPTED', value: { part, left: ask.holding.length, is_closed: !ask.wants, others } };
  }

  async putDeadLetters({ lease, first_seq, items }: DeadLetterBatch) {
    await this.#begin('putDeadLetters');
    const run = this.#fenced(lease);
    if (typeof run === 'string') return { outcome: run, acked_seq: 0 };
    const fresh = items.slice(Math.max(0, run.deadLetters.length + 1 - first_seq));
    run.deadLetters.push(...fresh);
    const outcome = fresh.length === 0 ? ('ALREADY_DONE' as const) : ('ACCEPTED' as const);
    return { outcome, acked_seq: run.deadLetters.length };
  }

  async drain({ executor_id }: ExecutorIdentity): Promise<void> {
    await this.#begin('drain');
    this.drained.add(executor_id);
  }

  async deregister({ executor_id }: ExecutorIdentity): Promise<number> {
    await this.#begin('deregister');
    const held = [...this.runs.values()].filter(
      (run) => run.holder === executor_id && run.status !== 'ended',
    );
    for (const run of held) this.requeue(run);
    this.sessionTokens.delete(executor_id);
    return held.length;
  }

  onWork(listener: () => void): () => void {
    this.#workListeners.add(listener);
    return () => this.#workListeners.delete(listener);
  }

  onCancel(executorId: number, listener: (cancel: Cancel) => void): () => void {
    const listeners = this.#cancelListeners.get(executorId) ?? new Set();
    this.#cancelListeners.set(executorId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  async #begin(operation: Operation): Promise<void> {
    this.calls.push(operation);
    await this.before(operation);
  }

  #fenced(lease: Lease): MemoryRun | 'STALE_LEASE' | 'RUN_ABSENT' {
    const run = this.runs.get(lease.run_id);
    if (run === undefined) return 'RUN_ABSENT';
    const { attempt, epoch, token } = run.lease;
    const live = lease.attempt === attempt && lease.epoch === epoch && lease.token === token;
    return live ? run : 'STALE_LEASE';
  }

  #renew({ executor_id }: ExecutorIdentity, lease: Lease): LeaseOutcome {
    const run = this.#fenced(lease);
    const { run_id, attempt } = lease;
    if (typeof run === 'string') return { run_id, attempt, outcome: run };
    return { run_id, attempt, outcome: run.holder === executor_id ? 'ACCEPTED' : 'STALE_LEASE' };
  }
}
