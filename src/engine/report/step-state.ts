import type { Step } from '../../language/task/steps/steps.ts';
import type { StepResult } from './report.ts';
import { StepMeter } from './step-meter.ts';

export type StepStatus = 'pending' | 'running' | StepResult['status'];

/**
 * What is known of one step while a run goes on; the counters are the hot path's, so they are plain fields. A step goes
 * `pending → running → success | warning | error | cancelled`, or from `pending` to `skipped`; a retry brings it back to
 * `pending` with its counters at 0 and its attempts kept.
 */
export class StepState {
  readonly step: Step;
  readonly meter = new StepMeter();
  status: StepStatus = 'pending';
  rowsIn = 0;
  rowsOut = 0;
  rowsFailed = 0;
  rowsSkipped = 0;
  startedAt = 0;
  endedAt = 0;
  attempts = 0;
  error = '';
  /** What a call gave; `steps.<id>.output`. */
  output: unknown = null;
  /** When progress was last told, so that it is not told too often. */
  reportedAt = 0;

  constructor(step: Step) {
    this.step = step;
  }

  start(now: number): void {
    this.status = 'running';
    this.attempts++;
    this.startedAt = now;
    this.reportedAt = now;
  }

  /** Ends well: `warning` where items failed. */
  succeed(now: number): void {
    this.status = this.rowsFailed > 0 ? 'warning' : 'success';
    this.endedAt = now;
  }

  end(status: StepResult['status'], now: number, error = ''): void {
    this.status = status;
    this.endedAt = now;
    if (this.startedAt === 0) this.startedAt = now;
    this.error = error;
  }

  reset(): void {
    this.status = 'pending';
    this.rowsIn = 0;
    this.rowsOut = 0;
    this.rowsFailed = 0;
    this.rowsSkipped = 0;
    this.error = '';
    this.output = null;
    this.meter.items.clear();
  }

  result(): StepResult {
    const ended = this.status !== 'pending' && this.status !== 'running';
    return {
      stepId: this.step.id,
      kind: this.step.kind,
      status: ended ? (this.status as StepResult['status']) : 'skipped',
      rowsIn: this.rowsIn,
      rowsOut: this.rowsOut,
      rowsFailed: this.rowsFailed,
      rowsSkipped: this.rowsSkipped,
      startedAt: this.startedAt,
      endedAt: this.endedAt,
      attempts: this.attempts,
      error: this.error,
    };
  }
}
