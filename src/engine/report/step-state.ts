import {
  type CursorSpan,
  eachFigure,
  type RunEndStatus,
  STEP_FIGURES,
  type StepResult,
} from '../../base/run-report.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import { StepMeter } from './step-meter.ts';

const NOTHING = eachFigure(STEP_FIGURES, () => 0);

export type StepStatus = 'pending' | 'running' | RunEndStatus;

/**
 * What is known of one step while a run is in progress. A step goes `pending → running → success | warning | error | cancelled`,
 * or from `pending` to `skipped`; a retry brings it back to `pending` with its counts at 0 and its attempts kept.
 */
export class StepState {
  readonly step: Step;
  readonly meter = new StepMeter();
  status: StepStatus = 'pending';
  readonly figures = eachFigure(STEP_FIGURES, () => 0);
  error = '';
  /** What an extract with a cursor has read so far. */
  cursor: CursorSpan | null = null;
  /** What a call gave; `steps.<id>.output`. */
  output: unknown = null;
  /** When progress was last told, so that it is not told too often. */
  reportedAt = 0;

  constructor(step: Step) {
    this.step = step;
  }

  start(now: number): void {
    this.status = 'running';
    this.figures.attempts++;
    this.figures.started_at = now;
    this.reportedAt = now;
  }

  /** Ends well: `warning` where items failed. */
  succeed(now: number): void {
    this.status = this.figures.rows_failed > 0 ? 'warning' : 'success';
    this.figures.ended_at = now;
  }

  end(status: RunEndStatus, now: number, error = ''): void {
    this.status = status;
    this.figures.ended_at = now;
    if (this.figures.started_at === 0) this.figures.started_at = now;
    this.error = error;
  }

  reset(): void {
    this.status = 'pending';
    const { attempts, started_at, ended_at } = this.figures;
    Object.assign(this.figures, { ...NOTHING, attempts, started_at, ended_at });
    this.error = '';
    this.cursor = null;
    this.output = null;
    this.meter.items.clear();
  }

  result(): StepResult {
    const ended = this.status !== 'pending' && this.status !== 'running';
    return {
      step_id: this.step.id,
      kind: this.step.kind,
      status: ended ? (this.status as RunEndStatus) : 'skipped',
      ...this.figures,
      error: this.error,
      cursor: this.cursor,
    };
  }
}
