import { randomToken } from '../base/ids.ts';
import type {
  Cancel,
  Completion,
  ControlPlane,
  DeadLetterBatch,
  ExecutorIdentity,
  HeartbeatReply,
  Lease,
  LeaseOutcome,
  LogFrame,
  MetricBatch,
  Outcome,
  PartsRequest,
  Progress,
  RegisterRequest,
  SaveCheckpoint,
} from './control-plane.ts';

/** Runs and attempts store it for good. OWASP asks 8 of a session, which lasts longer and names nobody. */
const TOKEN_BYTES = 12;
const MARK = '.';
const STALE = { outcome: 'STALE_LEASE' } as const;

/** The token of a new lease: it names the executor that holds it. Stores compare the whole of it, so that the name cannot be changed. */
export function leaseTokenOf(executorId: number): string {
  return `${executorId}${MARK}${randomToken(TOKEN_BYTES)}`;
}

/** Whether this executor may use the lease. A token without a name is from an earlier version, whose runs may still be going. */
export function isHeldBy({ token }: Lease, executorId: number): boolean {
  return !token.includes(MARK) || token.startsWith(`${executorId}${MARK}`);
}

/**
 * The control plane as one executor that has proved itself may use it, over either binding: the lease of another is stale to it,
 * however it came by the token, and a log frame under such a lease is refused.
 */
export class HeldLeases implements ControlPlane {
  readonly #plane: ControlPlane;
  readonly #executorId: number;

  constructor(plane: ControlPlane, executor: ExecutorIdentity) {
    this.#plane = plane;
    this.#executorId = executor.executor_id;
  }

  register(request: RegisterRequest) {
    return this.#plane.register(request);
  }

  authenticate(identity: ExecutorIdentity): Promise<void> {
    return this.#plane.authenticate(identity);
  }

  async attach(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<readonly LeaseOutcome[]> {
    const { own, others } = this.#parted(leases);
    return [...(await this.#plane.attach(executor, own)), ...others];
  }

  async heartbeat(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<HeartbeatReply> {
    const { own, others } = this.#parted(leases);
    const reply = await this.#plane.heartbeat(executor, own);
    return others.length === 0 ? reply : { ...reply, leases: [...reply.leases, ...others] };
  }

  claim(executor: ExecutorIdentity, count: number) {
    return this.#plane.claim(executor, count);
  }

  async acknowledge(lease: Lease): Promise<Outcome> {
    return this.#holds(lease) ? this.#plane.acknowledge(lease) : 'STALE_LEASE';
  }

  async progress(progress: Progress): Promise<Outcome> {
    return this.#holds(progress.lease) ? this.#plane.progress(progress) : 'STALE_LEASE';
  }

  async complete(completion: Completion): Promise<Outcome> {
    return this.#holds(completion.lease) ? this.#plane.complete(completion) : 'STALE_LEASE';
  }

  appendLogs(frame: LogFrame) {
    return this.#plane.appendLogs({ ...frame, executor_id: this.#executorId });
  }

  async reportMetrics(batch: MetricBatch) {
    if (this.#holds(batch.lease)) return this.#plane.reportMetrics(batch);
    const { run_id, attempt } = batch.lease;
    return { run_id, attempt, batch_seq: batch.batch_seq, ...STALE };
  }

  async runSpec(lease: Lease) {
    return this.#holds(lease) ? this.#plane.runSpec(lease) : STALE;
  }

  async replayRows(lease: Lease, after: number) {
    return this.#holds(lease) ? this.#plane.replayRows(lease, after) : STALE;
  }

  async checkpoint(lease: Lease, name: string) {
    return this.#holds(lease) ? this.#plane.checkpoint(lease, name) : STALE;
  }

  async saveCheckpoint(request: SaveCheckpoint) {
    return this.#holds(request.lease) ? this.#plane.saveCheckpoint(request) : STALE;
  }

  async parts(request: PartsRequest) {
    return this.#holds(request.lease) ? this.#plane.parts(request) : STALE;
  }

  async putDeadLetters(batch: DeadLetterBatch) {
    return this.#holds(batch.lease) ? this.#plane.putDeadLetters(batch) : { ...STALE, acked_seq: 0 };
  }

  drain(executor: ExecutorIdentity): Promise<void> {
    return this.#plane.drain(executor);
  }

  deregister(executor: ExecutorIdentity): Promise<number> {
    return this.#plane.deregister(executor);
  }

  onWork(listener: () => void): () => void {
    return this.#plane.onWork(listener);
  }

  onCancel(executorId: number, listener: (cancel: Cancel) => void): () => void {
    return this.#plane.onCancel(executorId, listener);
  }

  #holds(lease: Lease): boolean {
    return isHeldBy(lease, this.#executorId);
  }

  #parted(leases: readonly Lease[]): { readonly own: readonly Lease[]; readonly others: LeaseOutcome[] } {
    const own = leases.filter((lease) => this.#holds(lease));
    if (own.length === leases.length) return { own, others: [] };
    const others = leases.filter((lease) => !this.#holds(lease));
    return { own, others: others.map(({ run_id, attempt }) => ({ run_id, attempt, ...STALE })) };
  }
}
