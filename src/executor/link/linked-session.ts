import { AppError } from '../../base/errors.ts';
import type {
  Assignment,
  Cancel,
  ControlPlaneClient,
  ExecutorSession,
  Lease,
  LeaseOutcome,
  Outcome,
} from '../../protocol/control-plane.ts';
import { monotonicMs } from '../runner/runner-messages.ts';

/** What a session tells. */
export interface SessionPorts {
  /** Leases that live or wait for the answer to their completion. */
  heldLeases(): readonly Lease[];
  /** The session stands; the judgement of what was attached has been told. */
  onOpen(session: ExecutorSession): void;
  /** What became of a lease, by a message that was sent at `sentAtMs` of the monotonic clock. */
  onRenewed(lease: Lease, outcome: Outcome, sentAtMs: number): void;
  onAssignment(assignment: Assignment): void;
  onAcknowledged(outcome: LeaseOutcome): void;
  onCancel(cancel: Cancel): void;
  onCompleted(outcome: LeaseOutcome): void;
  onDrained(): void;
}

export interface LinkedSessionOptions {
  readonly client: Pick<ControlPlaneClient, 'openSession'>;
  readonly attachMs: number;
  readonly heartbeatMs: number;
}

interface Sent {
  readonly leases: readonly Lease[];
  readonly atMs: number;
}

const keyOf = ({ run_id, attempt }: { readonly run_id: number; readonly attempt: number }): string =>
  `${run_id}/${attempt}`;

/** However short the interval of heartbeats, an answer may take this long. */
const ANSWER_MS_MIN = 2_000;

/**
 * One session from its opening to its end. Attaching: the leases that are held are being judged. Open: messages go both ways,
 * heartbeats are sent. Ended: closed from either end; nothing is reported any more.
 *
 * One heartbeat is under way at a time. One that is not answered when the next is due, or 2 s later, ends the session, so
 * that an answer is never taken for that to a later heartbeat, and a link that is open in one direction only does not look
 * healthy.
 */
export class LinkedSession {
  readonly #ports: SessionPorts;
  readonly #options: LinkedSessionOptions;
  readonly #ended = Promise.withResolvers<AppError | null>();
  readonly #session: ExecutorSession;
  #sent: Sent | null;
  #timer: NodeJS.Timeout;
  #isOver = false;

  /** Throws where the client is closed or not registered. */
  constructor(options: LinkedSessionOptions, ports: SessionPorts) {
    this.#ports = ports;
    this.#options = options;
    const attached = ports.heldLeases();
    this.#sent = { leases: attached, atMs: monotonicMs() };
    this.#timer = setTimeout(() => this.#late('The session was not attached in time'), options.attachMs);
    const told =
      <T>(tell: (value: T) => void) =>
      (value: T) => {
        if (!this.#isOver) tell(value);
      };
    try {
      this.#session = options.client.openSession(attached, {
        onAttached: told((outcomes) => this.#onAttached(outcomes)),
        onHeartbeat: told((reply) => {
          this.#judge(reply.leases);
          for (const cancel of reply.cancels) ports.onCancel(cancel);
        }),
        onAssignment: told(ports.onAssignment),
        onAcknowledged: told(ports.onAcknowledged),
        onCancel: told(ports.onCancel),
        onCompleted: told(ports.onCompleted),
        onDrained: () => told(ports.onDrained)(undefined),
        onClosed: (error) => this.#end(error instanceof AppError ? error : null),
      });
    } catch (error) {
      clearTimeout(this.#timer);
      throw error;
    }
  }

  /** Resolves when it has ended, with why; null where it ended in good order. */
  get ended(): Promise<AppError | null> {
    return this.#ended.promise;
  }

  close(): void {
    this.#end(null);
    this.#session.close();
  }

  #onAttached(outcomes: readonly LeaseOutcome[]): void {
    clearTimeout(this.#timer);
    this.#judge(outcomes);
    this.#timer = setInterval(() => this.#heartbeat(), this.#options.heartbeatMs);
    this.#ports.onOpen(this.#session);
  }

  #heartbeat(): void {
    if (this.#sent !== null) {
      const lateMs = Math.max(this.#options.heartbeatMs, ANSWER_MS_MIN);
      if (monotonicMs() - this.#sent.atMs >= lateMs) this.#late('A heartbeat was not answered');
      return;
    }
    const leases = this.#ports.heldLeases();
    this.#sent = { leases, atMs: monotonicMs() };
    this.#session.heartbeat(leases);
  }

  #judge(outcomes: readonly LeaseOutcome[]): void {
    const sent = this.#sent;
    this.#sent = null;
    if (sent === null) return;
    const byKey = new Map(outcomes.map((outcome) => [keyOf(outcome), outcome.outcome]));
    for (const lease of sent.leases) {
      const outcome = byKey.get(keyOf(lease));
      if (outcome !== undefined) this.#ports.onRenewed(lease, outcome, sent.atMs);
    }
  }

  #late(why: string): void {
    this.#end(new AppError('NOT_READY', why));
    this.#session.close();
  }

  #end(error: AppError | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#ended.resolve(error);
  }
}
