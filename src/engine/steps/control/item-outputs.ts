import type { ForeachStep } from '../../../language/task/steps/control/foreach-step.ts';
import { bodiesOf } from '../../../language/task/steps/steps.ts';
import { RunFault } from '../../run-fault.ts';
import { type RunState, stateOf } from '../../run-state.ts';

/** Outputs of items that one foreach keeps, and their length together in UTF-16 units of JSON. */
export const ITEM_OUTPUTS_MAX = 10_000;
export const ITEM_OUTPUTS_CHARS_MAX = 16 * 1024 * 1024;

/** What the last step of each item gave: `steps.<foreach>.output`, kept only where some expression of the task reads it. */
export class ItemOutputs {
  readonly #step: ForeachStep;
  readonly #lastId: string | undefined;
  #kept: { readonly index: number; readonly output: unknown }[] | null;
  #chars = 0;

  constructor(step: ForeachStep, { plan }: RunState) {
    this.#step = step;
    this.#lastId = bodiesOf(step).at(-1)?.at(-1)?.id;
    const read = new RegExp(`\\bsteps\\.${step.id}\\s*\\.\\s*output\\b`);
    const isRead = read.test(plan.sources);
    this.#kept = isRead ? [] : null;
  }

  /** The item has ended well. */
  add(index: number, inner: RunState): void {
    if (this.#kept === null || this.#lastId === undefined) return;
    const { output } = stateOf(inner, this.#lastId);
    this.#kept.push({ index, output });
    this.#chars += JSON.stringify(output)?.length ?? 0;
    if (this.#kept.length <= ITEM_OUTPUTS_MAX && this.#chars <= ITEM_OUTPUTS_CHARS_MAX) return;
    this.#kept = null;
    const message = `"steps.${this.#step.id}" is read, which keeps what each item gave: at most ${ITEM_OUTPUTS_MAX} items and ${ITEM_OUTPUTS_CHARS_MAX / 1024 / 1024} MB; load the results instead`;
    throw new RunFault('OUTPUT_TOO_LARGE', message, { reason: 'task_error', stepId: this.#step.id });
  }

  list(): readonly unknown[] | null {
    if (this.#kept === null) return null;
    const kept = this.#step.ordered ? this.#kept.toSorted((a, b) => a.index - b.index) : this.#kept;
    return kept.map(({ output }) => output);
  }
}
