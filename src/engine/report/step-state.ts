import {
  type CursorSpan,
  eachFigure,
  LOSSES_MAX,
  type Loss,
  type RunEndStatus,
  SCHEMA_CHANGES_MAX,
  type SchemaChange,
  STEP_FIGURES,
  type StepFigures,
  type StepResult,
  type Verification,
} from '../../base/run-report.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import { StepMeter } from './step-meter.ts';

const NOTHING = eachFigure(STEP_FIGURES, () => 0);

/** From the best to the worst. */
const RANKS: readonly StepStatus[] = [
  'pending',
  'skipped',
  'running',
  'success',
  'cancelled',
  'warning',
  'error',
];

export type StepStatus = 'pending' | 'running' | RunEndStatus;

/**
 * What is known of one step while a run is in progress. A step goes `pending → running → success | warning | error | cancelled`,
 * or from `pending` to `skipped`; a retry brings it back to `pending` with its counts at 0 and its attempts kept.
 */
export class StepState {
  readonly step: Step;
  readonly meter: StepMeter;
  readonly #isPart: boolean;
  status: StepStatus = 'pending';
  readonly figures = eachFigure(STEP_FIGURES, () => 0);
  error = '';
  /** What an extract with a cursor has read so far. */
  cursor: CursorSpan | null = null;
  /** Columns of its target that a load has changed. */
  changes: readonly SchemaChange[] = [];
  /** What a comparison of a source and its target has found. */
  verification: Verification | null = null;
  /** Of a load: its rows stay, whatever comes after. */
  isCommitted = false;
  /** It has ended well, and something is to be looked at. */
  isOdd = false;
  /** What its target does not have of the rows of a load. */
  losses: readonly Loss[] = [];
  /** What a call gave; `steps.<id>.output`. */
  output: unknown = null;
  /** Of a foreach that keeps its items apart: how each of them ended. */
  items: readonly StepResult[] = [];
  /** When progress was last told, so that it is not told too often; by `performance.now()`, which does not jump. */
  reportedAt = 0;

  /** `whole`: the state of the step over all items of a foreach, of which this one is a part. */
  constructor(step: Step, whole: StepState | null = null) {
    this.step = step;
    this.meter = whole?.meter ?? new StepMeter();
    this.#isPart = whole !== null;
  }

  start(now: number): void {
    this.status = 'running';
    this.figures.attempts++;
    this.figures.started_at = now;
    this.reportedAt = performance.now();
  }

  /** Ends well: `warning` where items failed. */
  succeed(now: number): void {
    this.status = this.figures.rows_failed > 0 || this.isOdd ? 'warning' : 'success';
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
    this.changes = [];
    this.verification = null;
    this.isOdd = false;
    this.isCommitted = false;
    this.losses = [];
    this.output = null;
    this.items = [];
    if (!this.#isPart) this.meter.items.clear();
  }

  /** Adds what the step was for one item of a foreach: rows and attempts are sums, and the worst end is the end. */
  absorb(part: {
    readonly figures: StepFigures;
    readonly status: StepStatus;
    readonly error: string;
    readonly changes: readonly SchemaChange[];
    readonly verification?: Verification | null | undefined;
    readonly losses: readonly Loss[];
  }): void {
    const { figures, status, error } = part;
    if (status === 'pending') return;
    const startedAt = this.figures.started_at;
    const endedAt = this.figures.ended_at;
    for (const name of STEP_FIGURES) this.figures[name] += figures[name];
    this.figures.started_at = startedAt === 0 ? figures.started_at : Math.min(startedAt, figures.started_at);
    this.figures.ended_at = Math.max(endedAt, figures.ended_at);
    if (RANKS.indexOf(status) > RANKS.indexOf(this.status)) this.status = status;
    if (this.error === '') this.error = error;
    this.verification = worse(this.verification, part.verification ?? null);
    this.changes = [...this.changes, ...part.changes].slice(0, SCHEMA_CHANGES_MAX);
    this.losses = summedLosses([...this.losses, ...part.losses]);
  }

  /** `id`: what the run calls the step. */
  result(id: string): StepResult {
    const ended = this.status !== 'pending' && this.status !== 'running';
    return {
      step_id: id,
      kind: this.step.kind,
      status: ended ? (this.status as RunEndStatus) : 'skipped',
      ...this.figures,
      error: this.error,
      cursor: this.cursor,
      schema_changes: this.changes,
      ...(this.verification === null ? {} : { verification: this.verification }),
      ...(this.losses.length > 0 && { losses: this.losses }),
    };
  }
}

/** Of many items the first that is not equal is kept, else the first. */
function worse(a: Verification | null, b: Verification | null): Verification | null {
  return a === null || (a.equal && b?.equal === false) ? b : a;
}

/** One of each column and target. */
export function summedLosses(losses: readonly Loss[]): readonly Loss[] {
  const sums = new Map<string, Loss>();
  for (const { object, column, count } of losses) {
    if (count === 0) continue;
    const id = JSON.stringify([object, column]);
    sums.set(id, { object, column, count: count + (sums.get(id)?.count ?? 0) });
  }
  return [...sums.values()].slice(0, LOSSES_MAX);
}
