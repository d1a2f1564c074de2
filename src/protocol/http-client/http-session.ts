import { sleep } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import type {
  Assignment,
  Completion,
  ExecutorSession,
  Lease,
  LeaseOutcome,
  Progress,
  SessionHandlers,
} from '../control-plane.ts';
import { ClaimLoop } from '../server/claim-loop.ts';
import { toLeaseOutcome, type WireLeaseOutcome } from '../wire/lease.ts';
import { answerOf, finiteProgress, heartbeatOf, workOf } from './answer-json.ts';
import type { HttpClientLimits } from './http-client-limits.ts';
import { UnreachableError } from './http-error.ts';
import { executorPath, runPath } from './http-paths.ts';
import type { HttpTransport } from './http-transport.ts';

export interface HttpSessionOptions {
  readonly transport: HttpTransport;
  readonly handlers: SessionHandlers;
  readonly limits: HttpClientLimits;
  /** An assignment that is not acknowledged gives its credit back after this long. */
  readonly assignmentAckMs: number;
}

/** Failures that the next heartbeat or question repairs; they do not end a session. */
function passes(error: unknown): error is AppError {
  if (!(error instanceof AppError) || error instanceof UnreachableError) return false;
  return error.code === 'NOT_READY' || error.code === 'RATE_LIMITED';
}

/**
 * One session over requests. Attaching: the leases are being judged, sends wait. Open: one question for work, or for cancels
 * alone while there are no credits, is always with the server; sends go one after another for each run, runs beside one
 * another. Closing: what was sent is answered. Closed: for good; nothing is reported any more.
 */
export class HttpSession implements ExecutorSession {
  readonly #options: HttpSessionOptions;
  readonly #executorId: number;
  readonly #claims: ClaimLoop;
  readonly #attached = Promise.withResolvers<void>();
  readonly #stopQuestions = new AbortController();
  readonly #stop = new AbortController();
  readonly #lanes = new Map<string, Promise<void>>();
  #state: 'attaching' | 'open' | 'closing' | 'closed' = 'attaching';
  #questions = 0;
  #asked = 0;
  #pausedUntilMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `PRECONDITION_FAILED` before registering, `NOT_READY` once the client is closed. */
  constructor(options: HttpSessionOptions, leases: readonly Lease[]) {
    this.#options = options;
    this.#executorId = options.transport.identity.executor_id;
    this.#claims = new ClaimLoop({
      claim: (count) => this.#ask(count),
      assign: async (assignment) => this.#tell(() => options.handlers.onAssignment(assignment)),
      failed: (error) => this.#questionFailed(error),
      assignmentAckMs: options.assignmentAckMs,
      now: () => performance.now(),
    });
    this.#attach(leases).catch((error: unknown) => this.end(error));
  }

  credits(count: number): void {
    if (this.#state === 'attaching' || this.#state === 'open') this.#claims.credits(count);
  }

  acknowledge(lease: Lease): void {
    this.#claims.acknowledged(lease);
    const { handlers } = this.#options;
    this.#sendOfRun('start', { lease }, (outcome) => handlers.onAcknowledged(outcome));
  }

  heartbeat(leases: readonly Lease[]): void {
    this.#send('heartbeat', async () => {
      const answer = heartbeatOf(await this.#post(executorPath(this.#executorId, 'heartbeat'), { leases }));
      this.#tell(() => this.#options.handlers.onHeartbeat(answer));
    });
  }

  progress(progress: Progress): void {
    this.#sendOfRun('progress', finiteProgress(progress), () => undefined);
  }

  complete(completion: Completion): void {
    const { handlers } = this.#options;
    // What is not there has no place in JSON.
    const body = { ...completion, outputs: completion.outputs ?? null };
    this.#sendOfRun('complete', body, (outcome) => handlers.onCompleted(outcome));
  }

  drain(): void {
    this.#claims.stop();
    this.#send('drain', async () => {
      await this.#post(executorPath(this.#executorId, 'drain'));
      this.#tell(() => this.#options.handlers.onDrained());
    });
  }

  close(): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    this.#state = 'closing';
    this.#claims.stop();
    this.#stopQuestions.abort();
    const answered = Promise.all([this.#attached.promise, ...this.#lanes.values()]);
    void Promise.race([answered, sleep(this.#options.limits.closeMs, this.#stop.signal)]).then(() =>
      this.end(null),
    );
  }

  /** Ends it at once, for any reason; `null` for none. */
  end(error: unknown): void {
    if (this.#state === 'closed') return;
    const wasClosing = this.#state === 'closing';
    this.#state = 'closed';
    clearInterval(this.#timer);
    this.#claims.stop();
    this.#stopQuestions.abort();
    this.#stop.abort();
    this.#attached.resolve();
    this.#options.handlers.onClosed(wasClosing ? null : asError(error));
  }

  async #attach(leases: readonly Lease[]): Promise<void> {
    const { handlers, limits } = this.#options;
    const answer = heartbeatOf(await this.#post(executorPath(this.#executorId, 'heartbeat'), { leases }));
    if (this.#state === 'attaching') this.#state = 'open';
    this.#tell(() => handlers.onAttached(answer.leases));
    for (const cancel of answer.cancels) this.#tell(() => handlers.onCancel(cancel));
    this.#attached.resolve();
    if (this.#state !== 'open') return;
    this.#timer = setInterval(() => this.#claims.wake(), limits.pauseMs);
    this.#listen();
  }

  /** Asks for work, or for cancels alone where `credits` is 0. */
  async #ask(credits: number): Promise<readonly Assignment[]> {
    const { handlers, limits, transport } = this.#options;
    this.#questions += 1;
    try {
      await this.#attached.promise;
      const pauseMs = this.#pausedUntilMs - performance.now();
      if (pauseMs > 0) await sleep(pauseMs, this.#stopQuestions.signal);
      if (this.#state !== 'open') return [];
      const askedMs = performance.now();
      this.#asked += 1;
      const number = this.#asked;
      const answer = await transport.call({
        method: 'POST',
        path: `${executorPath(this.#executorId, 'next')}?wait=${limits.waitMs / 1_000}`,
        body: JSON.stringify({ credits }),
        session: true,
        signal: this.#stopQuestions.signal,
        timeoutMs: limits.waitMs + limits.callMs,
      });
      const { assignments, cancels } = workOf(answer);
      for (const cancel of cancels) this.#tell(() => handlers.onCancel(cancel));
      const isEmpty = assignments.length === 0 && cancels.length === 0;
      const isEarly = performance.now() - askedMs < Math.min(limits.pauseMs, limits.waitMs);
      // Whoever has nothing, and says so at once, is not asked at once again: unless it was for a newer question.
      if (isEmpty && isEarly && this.#asked === number) this.#pause(limits.pauseMs);
      this.#claims.wake();
      return assignments;
    } finally {
      this.#questions -= 1;
      // After the claim loop, which asks with credits where there are any.
      setImmediate(() => this.#listen());
    }
  }

  /** Keeps a question for cancels with the server while there is none for work. */
  #listen(): void {
    if (this.#state !== 'open' || this.#questions > 0) return;
    this.#ask(0).catch((error: unknown) => this.#questionFailed(error));
  }

  #questionFailed(error: unknown): void {
    if (this.#state !== 'open') return;
    if (!passes(error)) this.end(error);
    else this.#pause(Math.max(this.#options.limits.pauseMs, (error.retryAfterSeconds ?? 0) * 1_000));
  }

  #pause(ms: number): void {
    this.#pausedUntilMs = performance.now() + ms;
  }

  #sendOfRun(
    call: 'start' | 'progress' | 'complete',
    body: { readonly lease: Lease },
    told: (outcome: LeaseOutcome) => void,
  ): void {
    const { run_id, attempt } = body.lease;
    const job = async () => {
      const outcome = toLeaseOutcome(
        answerOf<WireLeaseOutcome>(await this.#post(runPath(run_id, call), body)),
      );
      this.#tell(() => told(outcome));
    };
    this.#send(`${run_id}/${attempt}`, job, call === 'progress');
  }

  /** `repaired`: what this says is said again before long, so that a failure which passes is no reason to end the session. */
  #send(lane: string, job: () => Promise<void>, repaired = lane === 'heartbeat'): void {
    if (this.#state === 'closing' || this.#state === 'closed') return;
    const before = this.#lanes.get(lane) ?? this.#attached.promise;
    const sent = before
      .then(() => (this.#state === 'closed' ? undefined : job()))
      .catch((error: unknown) => {
        if (!repaired || !passes(error)) this.end(error);
      })
      .finally(() => {
        if (this.#lanes.get(lane) === sent) this.#lanes.delete(lane);
      });
    this.#lanes.set(lane, sent);
  }

  #post(path: string, body?: object): Promise<unknown> {
    const { transport } = this.#options;
    const call = { method: 'POST', path, session: true, signal: this.#stop.signal } as const;
    return transport.call(body === undefined ? call : { ...call, body: JSON.stringify(body) });
  }

  #tell(handler: () => void): void {
    if (this.#state !== 'closed') handler();
  }
}

function asError(error: unknown): Error | null {
  if (error === null || error instanceof Error) return error;
  return new AppError('INTERNAL_ERROR', 'The session failed', { cause: error });
}
