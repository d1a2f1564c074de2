import {
  LOG_LEVELS,
  type LogLevel,
  logLevelName,
  type Metric,
  type StepProgress,
} from '../../base/run-report.ts';
import type { LogLine } from '../../protocol/control-plane.ts';
import type { Report } from './runner-messages.ts';

/** Reports that the executor has not taken yet. */
const REPORTS_UNACKED_MAX = 8;
const LINES_PER_REPORT_MAX = 1_000;
const REPORT_CHARS_MAX = 1024 * 1024;
const LINES_HELD_MAX = 10_000;
const CHARS_HELD_MAX = 8 * 1024 * 1024;
/** Where this share of either bound is held, debug lines are dropped. */
const DEBUG_SHARE_MAX = 0.5;
const METRICS_HELD_MAX = 10_000;

/**
 * A run's reports, on their way to the executor. All of one turn of the event loop travel together; while the executor is behind,
 * lines and metrics gather up to a bound and only the newest progress of each step is kept.
 */
export class RunnerReporter {
  readonly #send: (report: Report) => void;
  #lines: LogLine[] = [];
  #chars = 0;
  #dropped: Partial<Record<LogLevel, number>> = {};
  #metrics: Metric[] = [];
  #progress = new Map<string, StepProgress>();
  #unacked = 0;
  #scheduled = false;
  #drained: (() => void) | null = null;

  constructor(send: (report: Report) => void) {
    this.#send = send;
  }

  log(line: LogLine): void {
    const held = Math.max(this.#lines.length / LINES_HELD_MAX, this.#chars / CHARS_HELD_MAX);
    if (held >= (line.level === LOG_LEVELS.debug ? DEBUG_SHARE_MAX : 1)) {
      const level = logLevelName(line.level);
      this.#dropped[level] = (this.#dropped[level] ?? 0) + 1;
      return;
    }
    this.#lines.push(line);
    this.#chars += charsOf(line);
    this.#schedule();
  }

  metric(metric: Metric): void {
    if (this.#metrics.length >= METRICS_HELD_MAX) return;
    this.#metrics.push(metric);
    this.#schedule();
  }

  progress(progress: StepProgress): void {
    this.#progress.set(progress.step_id, progress);
    this.#schedule();
  }

  acknowledged(): void {
    this.#unacked -= 1;
    this.#flush();
  }

  /** Resolves when everything reported so far has been sent. */
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

  #takeLines(): LogLine[] {
    let count = 0;
    let chars = 0;
    for (const line of this.#lines) {
      const more = charsOf(line);
      if (count > 0 && (count >= LINES_PER_REPORT_MAX || chars + more > REPORT_CHARS_MAX)) break;
      chars += more;
      count += 1;
    }
    this.#chars -= chars;
    return this.#lines.splice(0, count);
  }

  #flush(): void {
    while (!this.#empty && this.#unacked < REPORTS_UNACKED_MAX) {
      const report = {
        lines: this.#takeLines(),
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

function charsOf({ message, fields_json }: LogLine): number {
  return message.length + fields_json.length;
}
