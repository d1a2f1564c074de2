import { sha256 } from '../../../base/ids.ts';
import type { StepProgress } from '../../../base/run-report.ts';
import type { ForeachStep } from '../../../language/task/steps/control/foreach-step.ts';
import { allSteps, bodiesOf } from '../../../language/task/steps/steps.ts';
import { PROGRESS_INTERVAL_MS, tellProgress } from '../../report/step-report.ts';
import { StepState } from '../../report/step-state.ts';
import { type RunState, stateOf } from '../../run-state.ts';

const HASH_CHARS = 12;

/**
 * The states of the steps inside a foreach: fresh ones for each item, whose figures are added to the states of the run when the
 * item ends. So a record of a million items is as long as one of a single item.
 */
export class ItemStates {
  readonly #step: ForeachStep;
  readonly #run: RunState;
  /** Of its steps, and those of the tasks that they run. */
  readonly #ids: readonly string[];
  readonly #hasLoads: boolean;
  readonly #open = new Set<RunState>();

  constructor(step: ForeachStep, run: RunState) {
    this.#step = step;
    this.#run = run;
    const own = new Set(
      bodiesOf(step)
        .flatMap(allSteps)
        .map(({ id }) => id),
    );
    this.#ids = [...run.states.keys()].filter((id) => own.has(id.split('/', 1)[0] ?? ''));
    this.#hasLoads = this.#ids.some((id) => stateOf(run, id).step.kind === 'load');
  }

  /** The run as the steps of one item see it. */
  open(item: unknown, index: number): RunState {
    const run = this.#run;
    const states = new Map(run.states);
    for (const id of this.#ids) {
      const whole = stateOf(run, id);
      states.set(id, new StepState(whole.step, whole));
    }
    const inner: RunState = {
      ...run,
      states,
      names: { ...run.names, [this.#step.itemName]: item, index },
      place: `${run.place}${this.#step.id}[${index}${this.#hasLoads ? `:${hashOf(item)}` : ''}]/`,
      isQuiet: true,
      ports: { ...run.ports, progress: (progress) => this.#tell(progress) },
    };
    this.#open.add(inner);
    return inner;
  }

  /** The item has ended, in whichever way. */
  close(inner: RunState): void {
    this.#open.delete(inner);
    for (const id of this.#ids) {
      const whole = stateOf(this.#run, id);
      whole.absorb(stateOf(inner, id));
      if (whole.figures.attempts > 0) tellProgress(this.#run, whole, false, id);
    }
  }

  /** All items have ended. */
  finish(): void {
    for (const id of this.#ids) {
      const whole = stateOf(this.#run, id);
      if (whole.figures.attempts > 0) tellProgress(this.#run, whole, true, id);
    }
  }

  /** A step that works long on one item tells of it together with the items before, and those at the same time. */
  #tell(progress: StepProgress): void {
    const id = progress.step_id;
    const states = [stateOf(this.#run, id), ...[...this.#open].map((inner) => stateOf(inner, id))];
    const sum = (name: 'rows_in' | 'rows_out' | 'rows_failed') =>
      states.reduce((total, { figures }) => total + figures[name], 0);
    const [whole] = states;
    const now = this.#run.context.clock.now();
    // The end of every item tells as well, so that few of these are sent.
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

/** Tells the loads of one item from those of another where the list has changed between two attempts of a run. */
function hashOf(item: unknown): string {
  const text = JSON.stringify(item, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return sha256(text ?? 'null').slice(0, HASH_CHARS);
}
