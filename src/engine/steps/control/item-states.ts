import { sha256 } from '../../../base/ids.ts';
import type { ForeachStep } from '../../../language/task/steps/control/foreach-step.ts';
import { allSteps, bodiesOf } from '../../../language/task/steps/steps.ts';
import { SummedStates } from '../../report/summed-states.ts';
import { type RunState, stateOf } from '../../run-state.ts';

const HASH_CHARS = 12;

/** The states of the steps inside a foreach, and of those of the tasks that they run. */
export class ItemStates {
  readonly #step: ForeachStep;
  readonly #run: RunState;
  readonly #states: SummedStates;
  readonly #hasLoads: boolean;

  constructor(step: ForeachStep, run: RunState) {
    this.#step = step;
    this.#run = run;
    const own = new Set(
      bodiesOf(step)
        .flatMap(allSteps)
        .map(({ id }) => id),
    );
    const ids = [...run.states.keys()].filter((id) => own.has(id.split('/', 1)[0] ?? ''));
    this.#states = new SummedStates(run, ids);
    this.#hasLoads = ids.some((id) => stateOf(run, id).step.kind === 'load');
  }

  /** The run as the steps of one item see it. */
  open(item: unknown, index: number, more: Partial<RunState> = {}): RunState {
    const { names, place } = this.#run;
    return this.#states.open({
      ...more,
      names: { ...names, [this.#step.itemName]: item, index },
      place: `${place}${this.#step.id}[${index}${this.#hasLoads ? `:${hashOf(item)}` : ''}]/`,
      isQuiet: true,
    });
  }

  /** The item has ended, in whichever way. */
  close(inner: RunState): void {
    this.#states.close(inner);
  }

  /** All items have ended. */
  finish(): void {
    this.#states.finish();
  }
}

/** Tells the loads of one item from those of another where the list has changed between two attempts of a run. */
export function hashOf(item: unknown): string {
  const text = JSON.stringify(item, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return sha256(text ?? 'null').slice(0, HASH_CHARS);
}
