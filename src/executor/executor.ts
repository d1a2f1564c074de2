import { rmSync } from 'node:fs';
import { type Clock, sleep } from '../base/clock.ts';
import type { AppError } from '../base/errors.ts';
import { messageOf } from '../base/errors.ts';
import { removeLeftFolders } from '../base/files/temporary-folder.ts';
import type { Logger } from '../base/logger.ts';
import type { Outbound } from '../base/outbound/outbound.ts';
import type { ConnectContext } from '../drivers/driver.ts';
import {
  type Assignment,
  type ControlPlaneClient,
  EXECUTOR_FEATURES,
  type ExecutorLimits,
  type ExecutorSession,
  PROTOCOL_VERSION,
} from '../protocol/control-plane.ts';
import { EXECUTOR_PROCESS_LIMITS, type ExecutorProcessLimits, withQueryMemory } from './executor-limits.ts';
import { HeldRun } from './held-run.ts';
import { ControlLink } from './link/control-link.ts';
import { openSpoolFolder } from './log/spool-folder.ts';
import { ExecutorMetrics } from './metrics/executor-metrics.ts';
import { monotonicMs } from './runner/runner-messages.ts';
import { RunnerPool } from './runner/runner-pool.ts';

export interface ExecutorOptions {
  /** Belongs to this executor, which closes it in `stop`. */
  readonly client: ControlPlaneClient;
  readonly name: string;
  /** New at every start of the process. */
  readonly instanceId: string;
  readonly version: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Runs at once, 1 to 256. */
  readonly slots: number;
  readonly connectorTypes: readonly string[];
  /** Folder for logs that cannot be sent fast enough; made where it is absent. */
  readonly spoolDir: string;
  readonly connectContext: ConnectContext;
  readonly outbound: Outbound;
  readonly logger: Logger;
  /** What the log says of a failure to reach the control plane. Default: the error's message. */
  readonly whyOf?: (error: unknown) => string;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number;
  /** Replaces single figures of `EXECUTOR_PROCESS_LIMITS`. */
  readonly limits?: Partial<ExecutorProcessLimits>;
}

export interface ExecutorStats {
  readonly executorId: number | null;
  readonly connected: boolean;
  readonly slots: number;
  readonly free: number;
  readonly runs: readonly { readonly runId: number; readonly attempt: number; readonly state: string }[];
  readonly runners: readonly {
    readonly pid: number | undefined;
    readonly idle: boolean;
    readonly runs: number;
  }[];
}

export interface Executor {
  /** Resolves when the first session is open, however long that takes, or when it is stopped before. */
  start(): Promise<void>;
  /**
   * Takes no more work, waits up to `drainMs` for what runs, ends the rest and gives it back to the queue at once. Another
   * call may shorten the wait. Resolves when no process and no connection is left.
   */
  stop(options: { readonly drainMs: number }): Promise<void>;
  /** Resolves, with why, when the control plane refuses the key for good: all that is left is `stop`. */
  readonly refused: Promise<AppError>;
  stats(): ExecutorStats;
}

/** Giving back and the last lines of logs take no longer than this. */
const FAREWELL_MS = 1_500;
/** How long spooled log lines of ended runs are still sent while it stops. */
const LAST_LOGS_MS = 5_000;
const DRAIN_LOOK_MS = 60_000;

/** An executor: takes runs from the control plane and runs each in a process of its own. */
export function createExecutor(options: ExecutorOptions): Executor {
  return new RunningExecutor(options);
}

/**
 * New: nothing is started. Working: as many runs as there are slots. Draining: nothing new is taken, what runs may end.
 * Stopped: for good.
 */
class RunningExecutor implements Executor {
  readonly #options: ExecutorOptions;
  readonly #limits: ExecutorProcessLimits;
  readonly #link: ControlLink;
  readonly #runners: RunnerPool;
  readonly #metrics: ExecutorMetrics;
  readonly #runs = new Set<HeldRun>();
  readonly #linkStopped = new AbortController();
  readonly #firstSession = Promise.withResolvers<void>();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #refused = Promise.withResolvers<AppError>();
  #spoolFolder = '';
  #wireLimits: ExecutorLimits | null = null;
  #state: 'new' | 'working' | 'draining' | 'stopped' = 'new';
  #linked: Promise<void> = Promise.resolve();
  #creditsTold = -1;
  #drainUntilMs = Number.POSITIVE_INFINITY;
  /** Aborts when there is reason to look at the drain again. */
  #drainWake = new AbortController();

  constructor(options: ExecutorOptions) {
    this.#options = options;
    const limits = { ...EXECUTOR_PROCESS_LIMITS, ...options.limits };
    this.#limits = withQueryMemory(limits, options.connectContext.sql?.memoryMb);
    this.#runners = new RunnerPool(this.#limits);
    this.#metrics = new ExecutorMetrics(options);
    const { client, name, instanceId, version, labels, slots, connectorTypes, random, logger } = options;
    const request = {
      name,
      instance_id: instanceId,
      version,
      protocol_version: PROTOCOL_VERSION,
      features: EXECUTOR_FEATURES,
      labels,
      slots,
      connector_types: connectorTypes,
    };
    this.#link = new ControlLink(
      { client, request, limits: this.#limits, random, logger, whyOf: options.whyOf ?? messageOf },
      {
        heldLeases: () => [...this.#runs].filter((run) => run.takesSlot).map((run) => run.lease),
        onRegistered: (limits) => {
          this.#wireLimits = limits;
        },
        onOpen: (session) => this.#onOpen(session),
        onRefused: this.#refused.resolve,
        onRenewed: (lease, outcome, sentAtMs) => {
          for (const run of this.#runs) if (run.lease === lease) run.onRenewed(outcome, sentAtMs);
        },
        onAssignment: (assignment) => this.#onAssignment(assignment),
        onAcknowledged: (told) => this.#find(told)?.onAcknowledged(told.outcome),
        onCancel: (cancel) => this.#find(cancel)?.onCancel(cancel),
        onCompleted: (told) => this.#find(told)?.onCompleted(told.outcome),
        onDrained: () => undefined,
      },
    );
  }

  get refused(): Promise<AppError> {
    return this.#refused.promise;
  }

  async start(): Promise<void> {
    if (this.#state === 'new') {
      this.#state = 'working';
      this.#spoolFolder = openSpoolFolder(this.#options.spoolDir, this.#options.instanceId);
      removeLeftFolders();
      this.#runners.warm();
      this.#linked = this.#link.run(this.#linkStopped.signal);
    }
    await this.#firstSession.promise;
  }

  async stop({ drainMs }: { readonly drainMs: number }): Promise<void> {
    this.#drainUntilMs = Math.min(this.#drainUntilMs, monotonicMs() + drainMs);
    this.#drainWake.abort();
    if (this.#state === 'new' || this.#state === 'working') {
      this.#state = 'draining';
      this.#link.session?.drain();
      await this.#drain();
      await this.#leave();
      this.#state = 'stopped';
      this.#stopped.resolve();
    }
    await this.#stopped.promise;
  }

  stats(): ExecutorStats {
    return {
      executorId: this.#link.registration?.executor_id ?? null,
      connected: this.#link.session !== null,
      slots: this.#options.slots,
      free: this.#free(),
      runs: [...this.#runs].map(({ lease, state }) => ({
        runId: lease.run_id,
        attempt: lease.attempt,
        state,
      })),
      runners: this.#runners.stats(),
    };
  }

  #onOpen(session: ExecutorSession): void {
    for (const run of this.#runs) {
      run.announce(session);
      run.wake();
    }
    this.#metrics.wake();
    this.#creditsTold = -1;
    if (this.#state === 'draining') session.drain();
    else this.#tellCredits();
    this.#firstSession.resolve();
  }

  #onAssignment({ lease }: Assignment): void {
    const session = this.#link.session;
    if (session === null || this.#wireLimits === null || this.#state !== 'working') return;
    for (const other of this.#runs) {
      if (other.lease.run_id !== lease.run_id) continue;
      if (other.lease.token === lease.token) {
        other.announce(session);
        return;
      }
      // The run was assigned anew, so the previous lease is over; an ended attempt may still send its log.
      if (other.isLive || other.lease.attempt === lease.attempt) other.discard('it was assigned again');
    }
    // Without an acknowledgement it goes back to the queue.
    if (this.#free() === 0) return;
    const run = new HeldRun(lease, {
      client: this.#options.client,
      runners: this.#runners,
      metrics: this.#metrics,
      limits: this.#limits,
      wireLimits: this.#wireLimits,
      connectContext: this.#options.connectContext,
      spoolFolder: this.#spoolFolder,
      logger: this.#options.logger,
      clock: this.#options.clock,
      random: this.#options.random,
      session: () => this.#link.session,
      changed: (changed) => this.#onChanged(changed),
    });
    this.#runs.add(run);
    run.announce(session);
    run.start();
    this.#tellCredits();
  }

  #onChanged(run: HeldRun): void {
    if (run.state === 'gone') this.#runs.delete(run);
    this.#drainWake.abort();
    this.#tellCredits();
  }

  #find({ run_id, attempt }: { readonly run_id: number; readonly attempt: number }): HeldRun | undefined {
    return [...this.#runs].find((run) => run.lease.run_id === run_id && run.lease.attempt === attempt);
  }

  #free(): number {
    if (this.#state !== 'working') return 0;
    const taken = [...this.#runs].filter((run) => run.takesSlot).length;
    const flushing = this.#runs.size - taken;
    return Math.max(0, this.#options.slots - taken - Math.max(0, flushing - this.#limits.flushingRunsMax));
  }

  #tellCredits(): void {
    const free = this.#free();
    const session = this.#link.session;
    if (session === null || free === this.#creditsTold) return;
    this.#creditsTold = free;
    session.credits(free);
  }

  /** Waits until nothing runs, or for as long as the drain may take; then a little more for logs. */
  async #drain(): Promise<void> {
    await this.#waitFor(() => ![...this.#runs].some((run) => run.takesSlot));
    this.#drainUntilMs = Math.min(this.#drainUntilMs, monotonicMs() + LAST_LOGS_MS);
    await this.#waitFor(() => this.#runs.size === 0 && !this.#metrics.isBusy);
  }

  async #waitFor(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const leftMs = this.#drainUntilMs - monotonicMs();
      if (leftMs <= 0) return;
      this.#drainWake = new AbortController();
      await sleep(Math.min(leftMs, DRAIN_LOOK_MS), this.#drainWake.signal);
    }
  }

  /** Nothing has an effect any more by the time the control plane hands the runs to others. */
  async #leave(): Promise<void> {
    const { client, logger } = this.#options;
    for (const run of [...this.#runs]) run.discard('the executor stops');
    await Promise.all([this.#runners.stop(), this.#metrics.stop()]);
    this.#linkStopped.abort();
    await this.#linked;
    this.#firstSession.resolve();
    if (this.#link.registration !== null) {
      const given = client.deregister().catch((error: unknown) => {
        logger.warn(
          { err: messageOf(error) },
          'the executor could not deregister; its runs wait for their leases to expire',
        );
      });
      const answered = new AbortController();
      await Promise.race([given, sleep(FAREWELL_MS, answered.signal)]);
      // The timer would keep the process for as long as an answer may take.
      answered.abort();
    }
    await client.close();
    if (this.#spoolFolder !== '') rmSync(this.#spoolFolder, { recursive: true, force: true });
  }
}
