import type { StepProgress } from '../../base/run-report.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { PROGRESS_INTERVAL_MS, tellProgress } from './step-report.ts';
import { StepState } from './step-state.ts';

/**
 * The states of steps that run many times, such as for each item: fresh ones each time, whose figures are added to the states of the
 * run when that time ends. So a record of a million items is as long as one of a single item.
 */
export class SummedStates {
  readonly ids: readonly string[];
  readonly #run: RunState;
  readonly #open = new Set<RunState>();

  constructor(run: RunState, ids: readonly string[]) {
    this.#run = run;
    this.ids = ids;
  }

  /** The run as the steps see it this time, with what else differs. */
  open(own: Partial<RunState>): RunState {
    const run = this.#run;
    const states = new Map(run.states);
    for (const id of this.ids) {
      const whole = stateOf(run, id);
      states.set(id, new StepState(whole.step, whole));
    }
    const ports = own.ports ?? run.ports;
    const inner: RunState = {
      ...run,
      ...own,
      states,
      ports: { ...ports, progress: (progress) => this.#tell(progress) },
    };
    this.#open.add(inner);
    return inner;
  }

  /** That time has ended, in whichever way. */
  close(inner: RunState): void {
    this.#open.delete(inner);
    for (const id of this.ids) {
      const whole = stateOf(this.#run, id);
      whole.absorb(stateOf(inner, id));
      if (whole.figures.attempts > 0) tellProgress(this.#run, whole, false, id);
    }
  }

  /** All have ended. */
  finish(): void {
    for (const id of this.ids) {
      const whole = stateOf(this.#run, id);
      if (whole.figures.attempts > 0) tellProgress(this.#run, whole, true, id);
    }
  }

  /** A step that works long tells of it together with the times before, and those at the same time. */
  #tell(progress: StepProgress): void {
    const id = progress.step_id;
    const states = [stateOf(this.#run, id), ...[...this.#open].map((inner) => stateOf(inner, id))];
    const sum = (name: 'rows_in' | 'rows_out' | 'rows_failed') =>
      states.reduce((total, { figures }) => total + figures[name], 0);
    const [whole] = states;
    const now = performance.now();
    // The end of every time tells as well, so that few of these are sent.
    if (whole === undefined || now - whole.reportedAt < PROGRESS_INTERVAL_MS) return;
    whole.reportedAt = now;
    this.#run.ports.progress({
      ...progress,
      rows_in: sum('rows_in'),
      rows_out: sum('rows_out'),
      rows_failed: sum('rows_failed'),
    });
  }
}
