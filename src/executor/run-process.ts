import { rmSync } from 'node:fs';
import type { Logger } from '../base/logger.ts';
import type { StepProgress } from '../base/run-report.ts';
import { createRedactor } from '../base/text/redactor.ts';
import type { Cancel } from '../protocol/control-plane.ts';
import { cancelledResult, deathMessage, failedResult, type RunResult, resultOf } from './completion-of.ts';
import type { ExecutorProcessLimits } from './executor-limits.ts';
import type { RunAsks } from './run-asks.ts';
import type { RunReports } from './run-reports.ts';
import type { RunnerChild, RunnerDeath } from './runner/runner-child.ts';
import type { Report, RunnerJob } from './runner/runner-messages.ts';
import type { RunnerPool } from './runner/runner-pool.ts';

export interface RunProcessOptions {
  readonly runners: RunnerPool;
  readonly limits: ExecutorProcessLimits;
  readonly reports: RunReports;
  readonly asks: RunAsks;
  readonly logger: Logger;
  readonly onProgress: (progress: StepProgress) => void;
  /** Called once, when the runner is done with the run or its process is gone; nothing of the run has an effect after it. */
  readonly onEnd: (result: RunResult) => void;
}

/** The longest time that a timer can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * A run in its runner, watched from outside: whatever the run does, it ends by its timeout, by a cancel's grace, or by
 * `abandon`. Running, until the runner says how it ended. Killed: the process is about to be gone, and the result is known.
 * Over: `onEnd` was called, or it was abandoned.
 */
export class RunProcess {
  readonly #options: RunProcessOptions;
  readonly #runner: RunnerChild;
  readonly #secrets: readonly string[];
  readonly #spillFolder: string | null;
  #timeout: NodeJS.Timeout | undefined;
  #cancelTimer: NodeJS.Timeout | undefined;
  #killedFor: RunResult | null = null;
  #isOver = false;

  constructor(job: RunnerJob, leaseUntilMs: number, options: RunProcessOptions) {
    this.#options = options;
    const connectors = Object.values(job.spec.connectors);
    this.#runner = options.runners.acquire([...new Set(connectors.map(({ type }) => type))]);
    this.#secrets = job.spec.secrets;
    this.#spillFolder = job.spillFolder;
    this.#limitTime(options.limits.runnerPlanMsMax, () =>
      this.#kill(failedResult('RUNNER_STUCK', 'The task could not be read in time', 'task_error', false)),
    );
    this.#runner.run(job, leaseUntilMs, {
      planned: (timeoutMs) => this.#onPlanned(timeoutMs),
      report: (report) => this.#onReport(report),
      ask: (ask) => options.asks.answer(ask),
      ended: (outcome) => {
        options.runners.release(this.#runner);
        this.#end(resultOf(outcome));
      },
      died: (death) => this.#onDeath(death),
    });
  }

  renew(leaseUntilMs: number): void {
    this.#runner.renew(leaseUntilMs);
  }

  /**
   * Asks the run to end, and kills it a little before the grace is over, so that its completion still counts; at once with
   * `force`. Repeating it changes nothing.
   */
  cancel({ force, grace_ms: graceMs }: Cancel): void {
    if (force) this.#kill(cancelledResult('forced'));
    if (force || this.#cancelTimer !== undefined) return;
    this.#runner.cancel();
    const marginMs = Math.min(this.#options.limits.cancelMarginMs, graceMs / 2);
    this.#cancelTimer = setTimeout(() => this.#kill(cancelledResult('forced')), graceMs - marginMs);
  }

  /** Kills it without a word. */
  abandon(): void {
    if (this.#isOver) return;
    this.#over();
    this.#runner.kill();
    void this.#runner.gone.then(() => this.#removeSpill());
  }

  #onPlanned(timeoutMs: number): void {
    clearTimeout(this.#timeout);
    if (timeoutMs === 0) return;
    const message = `The task did not finish within ${timeoutMs / 1000} s and was killed`;
    this.#limitTime(timeoutMs + this.#options.limits.timeoutMarginMs, () =>
      this.#kill(failedResult('TIMEOUT', message, 'timeout', true)),
    );
  }

  #limitTime(ms: number, onLate: () => void): void {
    this.#timeout = setTimeout(onLate, Math.min(ms, TIMER_MS_MAX));
  }

  #onReport(report: Report): void {
    if (this.#isOver) return;
    this.#options.reports.take(report);
    for (const progress of report.progress) this.#options.onProgress(progress);
  }

  /** The result is reported once the process is gone. */
  #kill(result: RunResult): void {
    if (this.#isOver || this.#killedFor !== null) return;
    this.#killedFor = result;
    if (result.failure === null) this.#options.reports.log('warn', 'The run was cancelled and killed');
    else this.#options.reports.log('error', result.failure.message, { code: result.failure.code });
    this.#runner.kill();
  }

  #onDeath(death: RunnerDeath): void {
    if (this.#isOver) return;
    if (this.#killedFor !== null) {
      this.#end(this.#killedFor);
      return;
    }
    const { reports, logger, limits } = this.#options;
    const { code, signal } = death;
    const said = createRedactor(this.#secrets).text(death.said);
    logger.warn({ code, signal, said }, 'a runner died');
    const message = deathMessage(death, limits);
    reports.log('error', message, { code: 'RUNNER_DIED' });
    // What the task itself did to its process it would do again; any other death is a loss, as that of an executor is.
    const isOwnDoing = death.outOfMemory || death.overMemory || death.hung;
    const reason = isOwnDoing ? 'task_error' : 'executor_lost';
    this.#end(failedResult('RUNNER_DIED', message, reason, true));
  }

  #end(result: RunResult): void {
    if (this.#isOver) return;
    this.#over();
    this.#removeSpill();
    this.#options.onEnd(result);
  }

  /** What a runner that was killed has left; the engine removes its files otherwise. */
  #removeSpill(): void {
    if (this.#spillFolder !== null) rmSync(this.#spillFolder, { recursive: true, force: true });
  }

  #over(): void {
    this.#isOver = true;
    clearTimeout(this.#timeout);
    clearTimeout(this.#cancelTimer);
  }
}
