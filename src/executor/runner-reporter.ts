import type { StepProgress } from '../engine/run.ts';
import type { LogLevel, LogLine, Metric } from '../protocol/control-plane.ts';
import { cutLine } from './cut-line.ts';
import type { Report } from './runner-messages.ts';

/** Reports that the executor has not taken yet. */
const REPORTS_UNACKED_MAX = 8;
const LINES_PER_REPORT_MAX = 1_000;
const LINES_HELD_MAX = 10_000;
/** Above this many held lines debug lines are dropped. */
const DEBUG_LINES_HELD_MAX = 5_000;
const METRICS_HELD_MAX = 10_000;

/**
 * What a run tells, on its way to the executor. Everything told in one turn travels together; while the executor is behind,
 * lines and metrics gather up to a bound and only the newest progress of each step is kept.
 */
export class RunnerReporter {
  readonly #send: (report: Report) => void;
  readonly #lineBytesMax: number;
  #lines: LogLine[] = [];
  #dropped: Partial<Record<LogLevel, number>> = {};
  #metrics: Metric[] = [];
  #progress = new Map<string, StepProgress>();
  #unacked = 0;
  #scheduled = false;
  #drained: (() => void) | null = null;

  constructor(send: (report: Report) => void, lineBytesMax: number) {
    this.#send = send;
    this.#lineBytesMax = lineBytesMax;
  }

  log(line: LogLine): void {
    const held = this.#lines.length;
    if (held >= LINES_HELD_MAX || (line.level === 'debug' && held >= DEBUG_LINES_HELD_MAX)) {
      this.#dropped[line.level] = (this.#dropped[line.level] ?? 0) + 1;
      return;
    }
    this.#lines.push(cutLine(line, this.#lineBytesMax));
    this.#schedule();
  }

  metric(metric: Metric): void {
    if (this.#metrics.length >= METRICS_HELD_MAX) return;
    this.#metrics.push(metric);
    this.#schedule();
  }

  progress(progress: StepProgress): void {
    this.#progress.set(progress.stepId, progress);
    this.#schedule();
  }

  acknowledged(): void {
    this.#unacked -= 1;
    this.#flush();
  }

  /** Resolves when everything told so far has been sent. */
  async drained(): Promise<void> {
    this.#flush();
    if (this.#empty) return;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
    });
  }

  get #empty(): boolean {
    return this.#lines.length === 0 && this.#metrics.length === 0 && this.#progress.size === 0;
  }

  /**
   * Sent at the end of the turn, before anything else runs: an expression that never ends must not keep back what was said
   * before it.
   */
  #schedule(): void {
    if (this.#scheduled || this.#unacked >= REPORTS_UNACKED_MAX) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    while (!this.#empty && this.#unacked < REPORTS_UNACKED_MAX) {
      const report = {
        lines: this.#lines.splice(0, LINES_PER_REPORT_MAX),
        dropped: this.#dropped,
        metrics: this.#metrics,
        progress: [...this.#progress.values()],
      };
      this.#dropped = {};
      this.#metrics = [];
      this.#progress = new Map();
      this.#unacked += 1;
      this.#send(report);
    }
    if (this.#empty) {
      this.#drained?.();
      this.#drained = null;
    }
  }
}
