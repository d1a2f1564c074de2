import type { ServerDuplexStream } from '@grpc/grpc-js';
import { AppError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Assignment, ControlPlane, ExecutorIdentity, HeartbeatReply, Lease } from '../control-plane.ts';
import type { GrpcServerLimits } from '../grpc-server-limits.ts';
import { type ControlEvent, fromControlEvent } from '../wire/control-event.ts';
import { decodeMessage, RPCS } from '../wire/definition/service-definition.ts';
import { type ExecutorEvent, toExecutorEvent, type WireExecutorMessage } from '../wire/executor-event.ts';
import { outcomeOf } from '../wire/lease.ts';
import { ClaimLoop } from './claim-loop.ts';
import { drained, isOpen } from './stream-write.ts';

export interface ExecutorSessionOptions {
  readonly call: ServerDuplexStream<Buffer, object>;
  readonly executor: ExecutorIdentity;
  readonly controlPlane: ControlPlane;
  readonly limits: Pick<GrpcServerLimits, 'attachMs' | 'workPollMs' | 'assignmentAckMs' | 'sessionQueueMax'>;
  readonly logger: Logger;
}

type EventOf<Type extends ExecutorEvent['type']> = Extract<ExecutorEvent, { type: Type }>;

/** Messages of one session being answered at once; it is paused beyond it. */
const IN_FLIGHT_MAX = 512;
const ATTACH_FIRST = 'The first message of a session is "attach", and it comes once';

/** Failures that the next heartbeat or poll repairs; they do not end a session. */
function passes(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'NOT_READY' || error.code === 'RATE_LIMITED');
}

/**
 * One executor's session. Attaching: only `attach` is heard, and must come in time. Attached: messages are begun one after another
 * and answered as they are done, so that those that come together are stored together; work and cancels are pushed. Ended: by the
 * executor, by an error, or by `end`; nothing more is sent.
 */
export class ExecutorSession {
  readonly #options: ExecutorSessionOptions;
  readonly #ended = Promise.withResolvers<void>();
  readonly #claims: ClaimLoop;
  readonly #cleanups: (() => void)[] = [];
  #state: 'attaching' | 'attached' | 'ended' = 'attaching';
  #inFlight = 0;
  #resume: (() => void) | null = null;

  constructor(options: ExecutorSessionOptions) {
    this.#options = options;
    const { controlPlane, executor, limits } = options;
    this.#claims = new ClaimLoop({
      claim: (count) => controlPlane.claim(executor, count),
      assign: (assignment) => this.#assign(assignment),
      failed: (error) => this.#survive(error, 'claim'),
      assignmentAckMs: limits.assignmentAckMs,
      now: () => performance.now(),
    });
  }

  /** Serves until the session has ended; rejects with what ended it, if anything did. */
  async run(): Promise<void> {
    const { call, limits } = this.#options;
    const message = `Send "attach" within ${limits.attachMs} ms`;
    const timer = setTimeout(() => {
      if (this.#state === 'attaching') this.end(new AppError('PRECONDITION_FAILED', message));
    }, limits.attachMs);
    this.#cleanups.push(() => clearTimeout(timer));
    call.once('cancelled', () => this.#ended.resolve());
    if (!isOpen(call)) this.#ended.resolve();
    this.#read();
    try {
      await this.#ended.promise;
    } finally {
      this.#state = 'ended';
      this.#claims.stop();
      for (const cleanup of this.#cleanups) cleanup();
    }
  }

  end(error: AppError): void {
    this.#ended.reject(error);
  }

  /** One message at a time. An iterator would destroy the call, and what is being sent with it, when the session fails. */
  #read(): void {
    const { call } = this.#options;
    call.on('data', (bytes: Buffer) => {
      call.pause();
      this.#take(bytes).then(() => {
        if (this.#state !== 'ended') call.resume();
      }, this.#ended.reject);
    });
    call.once('end', () => this.#ended.resolve());
  }

  async #take(bytes: Buffer): Promise<void> {
    const wire = decodeMessage<WireExecutorMessage>('Session', RPCS.Session.requestDeserialize, bytes);
    const event = toExecutorEvent(wire);
    if (event !== null) await this.#handle(event);
    await drained(this.#options.call);
    if (this.#inFlight >= IN_FLIGHT_MAX) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
      });
    }
  }

  /** The control plane keeps the order of what it is asked; only the answers are waited for here, and not by the next message. */
  #answer(work: Promise<void>): void {
    this.#inFlight += 1;
    work.catch(this.#ended.reject).finally(() => {
      this.#inFlight -= 1;
      this.#resume?.();
      this.#resume = null;
    });
  }

  async #handle(event: ExecutorEvent): Promise<void> {
    if ((event.type === 'attach') !== (this.#state === 'attaching')) {
      throw new AppError('PRECONDITION_FAILED', ATTACH_FIRST);
    }
    const { controlPlane, executor } = this.#options;
    switch (event.type) {
      case 'attach':
        return this.#attach(event.leases);
      case 'credits':
        this.#claims.credits(event.count);
        return;
      case 'assignment_ack':
        this.#answer(this.#acknowledge(event.lease));
        return;
      case 'heartbeat':
        this.#answer(this.#heartbeat(event));
        return;
      case 'progress':
        this.#answer(this.#progress(event));
        return;
      case 'completion':
        this.#answer(this.#complete(event));
        return;
      case 'drain':
        this.#claims.stop();
        await controlPlane.drain(executor);
        this.#send({ type: 'drain_reply' });
        return;
      default:
        return event satisfies never;
    }
  }

  async #attach(leases: readonly Lease[]): Promise<void> {
    const { controlPlane, executor, limits } = this.#options;
    const outcomes = await controlPlane.attach(executor, leases);
    if (this.#state === 'ended') return;
    this.#state = 'attached';
    this.#send({ type: 'attached', leases: outcomes });
    const poll = setInterval(() => this.#claims.wake(), limits.workPollMs);
    this.#cleanups.push(
      () => clearInterval(poll),
      controlPlane.onWork(() => this.#claims.wake()),
      controlPlane.onCancel(executor.executor_id, (cancel) => this.#send({ type: 'cancel', cancel })),
    );
  }

  async #acknowledge(lease: Lease): Promise<void> {
    this.#claims.acknowledged(lease);
    const outcome = await this.#options.controlPlane.acknowledge(lease);
    this.#send({ type: 'assignment_ack_reply', outcome: outcomeOf(lease, outcome) });
  }

  async #progress({ progress }: EventOf<'progress'>): Promise<void> {
    try {
      await this.#options.controlPlane.progress(progress);
    } catch (error) {
      this.#survive(error, 'progress');
    }
  }

  async #complete({ completion }: EventOf<'completion'>): Promise<void> {
    const outcome = await this.#options.controlPlane.complete(completion);
    this.#send({ type: 'completion_reply', outcome: outcomeOf(completion.lease, outcome) });
  }

  async #heartbeat({ sequence, leases }: EventOf<'heartbeat'>): Promise<void> {
    const { controlPlane, executor } = this.#options;
    let reply: HeartbeatReply;
    try {
      reply = await controlPlane.heartbeat(executor, leases);
    } catch (error) {
      this.#survive(error, 'heartbeat');
      return;
    }
    this.#send({ type: 'heartbeat_reply', sequence, reply });
  }

  #assign(assignment: Assignment): Promise<void> {
    this.#send({ type: 'assignment', assignment });
    return drained(this.#options.call);
  }

  #survive(error: unknown, doing: string): void {
    if (!passes(error)) {
      this.#ended.reject(error);
      return;
    }
    const { logger, executor } = this.#options;
    logger.warn({ executor: executor.executor_id, err: error }, `${doing} failed for now`);
  }

  #send(event: ControlEvent): void {
    const { call, limits } = this.#options;
    if (this.#state === 'ended' || !isOpen(call)) return;
    if (call.writableLength >= limits.sessionQueueMax) {
      this.end(new AppError('RATE_LIMITED', 'The executor does not read its session; open it again'));
    } else {
      call.write(fromControlEvent(event));
    }
  }
}
