import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { ConnectContext } from '../drivers/driver.ts';
import type {
  Cancel,
  Completion,
  ControlPlaneClient,
  ExecutorLimits,
  ExecutorSession,
  Lease,
  Outcome,
} from '../protocol/control-plane.ts';
import { cancelledResult, completionOf, failedResult, type RunResult } from './completion-of.ts';
import type { ExecutorProcessLimits } from './executor-limits.ts';
import { LeaseDeadline } from './lease-deadline.ts';
import { Backoff } from './link/backoff.ts';
import { retryCall } from './link/retry-call.ts';
import type { ExecutorMetrics } from './metrics/executor-metrics.ts';
import { RunAsks } from './run-asks.ts';
import { RunProcess } from './run-process.ts';
import { RunReports } from './run-reports.ts';
import { monotonicMs } from './runner/runner-messages.ts';
import type { RunnerPool } from './runner/runner-pool.ts';

export interface HeldRunDeps {
  readonly client: ControlPlaneClient;
  readonly runners: RunnerPool;
  readonly metrics: ExecutorMetrics;
  readonly limits: ExecutorProcessLimits;
  readonly wireLimits: ExecutorLimits;
  readonly connectContext: ConnectContext;
  readonly spoolFolder: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly random: () => number;
  /** The current session. */
  readonly session: () => ExecutorSession | null;
  /** The run's state has changed: a slot may be free. */
  readonly changed: (run: HeldRun) => void;
}

/**
 * Starting: the assignment is being acknowledged, the specification fetched; nothing has an effect. Running: a runner has it.
 * Ending: the runner is done, the rest of log and metrics is handed over. Completing: the completion waits for its answer.
 * Flushing: the completion was taken, late log lines are still being sent. Gone: nothing is held any more. From every state `discard` leads
 * there at once: the lease is another's, and whatever this attempt still does is stopped.
 */
export type HeldState = 'starting' | 'running' | 'ending' | 'completing' | 'flushing' | 'gone';

/** One attempt of a run, from its assignment until this executor has nothing left to say about it. */
export class HeldRun {
  readonly lease: Lease;
  readonly #deps: HeldRunDeps;
  readonly #logger: Logger;
  readonly #stopped = new AbortController();
  readonly #acknowledged = Promise.withResolvers<void>();
  readonly #backoff: Backoff;
  readonly #reports: RunReports;
  readonly #asks: RunAsks;
  readonly #deadline: LeaseDeadline;
  #state: HeldState = 'starting';
  #isAcknowledged = false;
  #ackSentAtMs = 0;
  #process: RunProcess | null = null;
  #completion: Completion | null = null;

  constructor(lease: Lease, deps: HeldRunDeps) {
    this.lease = lease;
    this.#deps = deps;
    const { run_id, attempt, epoch } = lease;
    this.#logger = deps.logger.child({ run_id, attempt });
    const { client, limits, wireLimits, random } = deps;
    const onStale = () => this.discard('its lease is stale');
    this.#backoff = new Backoff({ minMs: limits.backoffMinMs, maxMs: limits.backoffMaxMs, random });
    this.#reports = new RunReports({
      client,
      lease,
      spoolPath: join(deps.spoolFolder, `run-${run_id}-${attempt}-${epoch}.log`),
      limits,
      wireLimits,
      backoff: this.#backoff,
      clock: deps.clock,
      random,
      logger: this.#logger,
      onStale: () => {
        // Of an ended run the completion's answer decides.
        if (this.isLive) onStale();
      },
    });
    const { signal } = this.#stopped;
    this.#asks = new RunAsks({ client, lease, backoff: this.#backoff, signal, onStale });
    this.#deadline = new LeaseDeadline(monotonicMs() + wireLimits.lease_ttl_ms, () => {
      if (this.isLive) this.discard('its lease has run out');
    });
  }

  get state(): HeldState {
    return this.#state;
  }

  /** Not completed yet: it takes a slot, and its lease is to be renewed. */
  get takesSlot(): boolean {
    return this.#state !== 'flushing' && this.#state !== 'gone';
  }

  /** Something may still have effects. */
  get isLive(): boolean {
    return this.#state === 'starting' || this.#state === 'running';
  }

  start(): void {
    this.#begin().catch((error: unknown) => {
      if (this.#stopped.signal.aborted) return;
      this.#logger.warn({ err: error }, 'the run could not be started');
      const code = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
      const message = error instanceof AppError ? error.message : 'The run could not be started';
      const again = code === 'INTERNAL_ERROR';
      this.#reports.log('error', message, { code });
      this.#end(failedResult(code, message, again ? 'task_error' : 'config_error', again));
    });
  }

  /** Says over `session` what the control plane may not have heard yet. */
  announce(session: ExecutorSession): void {
    if (this.#state === 'completing' && this.#completion !== null) session.complete(this.#completion);
    else if (this.#state === 'starting' && !this.#isAcknowledged) {
      this.#ackSentAtMs = monotonicMs();
      session.acknowledge(this.lease);
    }
  }

  /** The answer to the acknowledgement of the assignment. */
  onAcknowledged(outcome: Outcome): void {
    if (!this.onRenewed(outcome, this.#ackSentAtMs) || this.#isAcknowledged) return;
    this.#isAcknowledged = true;
    this.#acknowledged.resolve();
  }

  /** The answer to a message about the lease that was sent at `sentAtMs`; tells whether the lease lives. */
  onRenewed(outcome: Outcome, sentAtMs: number): boolean {
    if (outcome === 'ACCEPTED' || outcome === 'ALREADY_DONE') {
      this.#deadline.extend(sentAtMs + this.#deps.wireLimits.lease_ttl_ms);
      this.#process?.renew(this.#deadline.untilMs);
      return true;
    }
    // A completion that was taken makes the lease stale too; its own answer tells which it was.
    if (this.isLive) this.discard(outcome === 'RUN_ABSENT' ? 'it does not exist' : 'its lease is stale');
    return false;
  }

  onCancel(cancel: Cancel): void {
    if (this.#state === 'starting') this.#end(cancelledResult('user'));
    else if (this.#state === 'running') this.#process?.cancel(cancel);
  }

  onCompleted(outcome: Outcome): void {
    if (this.#state !== 'completing') return;
    if (outcome === 'STALE_LEASE' || outcome === 'RUN_ABSENT') {
      this.discard('its completion came too late');
      return;
    }
    this.#deadline.stop();
    this.#setState('flushing');
    void this.#reports.handOver(this.#deps.limits.lateLogsMs, this.#stopped.signal).finally(() => {
      if (this.#state === 'flushing')
        this.#deps.metrics.adopt(this.#reports.leaveMetrics(), this.#deps.limits.lateLogsMs);
      this.#dispose();
    });
  }

  /** The control plane can be reached again: what waits to be sent again is sent now. */
  wake(): void {
    this.#backoff.wake();
    this.#reports.wake();
  }

  /** Stops everything at once and forgets the run. */
  discard(why: string): void {
    if (this.#state === 'gone') return;
    this.#logger.warn({ state: this.#state }, `run discarded: ${why}`);
    this.#dispose();
  }

  async #begin(): Promise<void> {
    const { client, runners, limits, wireLimits, connectContext, spoolFolder } = this.#deps;
    const { lease } = this;
    const { signal } = this.#stopped;
    const fetched = retryCall(() => client.runSpec(lease), this.#backoff, signal);
    // Nothing may have an effect before the control plane knows that the run has begun.
    const [answer] = await Promise.all([fetched, this.#acknowledged.promise]);
    if (this.#state !== 'starting') return;
    if (answer.outcome !== 'ACCEPTED') return this.discard('its lease is stale');
    this.#reports.route(answer.value.task_name, await this.#deps.metrics.destinationsOf(this, answer.value));
    if (this.#state !== 'starting') return;
    const job = {
      runId: lease.run_id,
      attempt: lease.attempt,
      spec: answer.value,
      connectContext,
      logLineBytesMax: wireLimits.log_line_bytes_max,
      spillFolder: join(spoolFolder, `spill-${lease.run_id}-${lease.attempt}`),
    };
    this.#setState('running');
    this.#process = new RunProcess(job, this.#deadline.untilMs, {
      runners,
      limits,
      reports: this.#reports,
      asks: this.#asks,
      logger: this.#logger,
      onProgress: (progress) => this.#deps.session()?.progress({ lease, ...progress }),
      onEnd: (result) => this.#end(result),
    });
  }

  #end(result: RunResult): void {
    if (!this.isLive) return;
    // The runner's own watchdog may have been quicker than this process.
    if (this.#deadline.isPast) {
      this.discard('its lease has run out');
      return;
    }
    this.#process = null;
    this.#setState('ending');
    void this.#complete(result);
  }

  /**
   * The completion says how long the log is. It is kept in memory alone: an executor that dies loses its leases, so that its
   * runs are done again, and a completion from before would come too late. Log and metrics are waited for a little, since a
   * control plane that tries a failed run again takes nothing more of this attempt.
   */
  async #complete(result: RunResult): Promise<void> {
    // What ended before its specification came is measured by the server's backends.
    this.#reports.route('', [this.#deps.metrics.controlPlane(this.lease)]);
    this.#reports.end(result);
    await this.#reports.handOver(this.#deps.limits.handOverMs, this.#stopped.signal);
    if (this.#state !== 'ending') return;
    this.#completion = completionOf(this.lease, result, this.#reports.lastLogSeq);
    this.#setState('completing');
    const session = this.#deps.session();
    if (session !== null) this.announce(session);
  }

  #dispose(): void {
    if (this.#state === 'gone') return;
    this.#process?.abandon();
    this.#process = null;
    this.#stopped.abort(new Error('The run is not held any more'));
    this.#acknowledged.resolve();
    this.#deadline.stop();
    this.#reports.stop();
    this.#setState('gone');
  }

  #setState(state: HeldState): void {
    this.#state = state;
    this.#deps.changed(this);
  }
}
