import type { SourceState } from './source-state.ts';

/** States of a source between its records: each is told once the records before it were given. */
export class StateMarks {
  readonly #marks: { readonly after: number; readonly state: unknown }[] = [];
  readonly #target: SourceState | undefined;

  constructor(target: SourceState | undefined) {
    this.#target = target;
  }

  /** A state that holds after so many records. */
  mark(after: number, state: unknown): void {
    if (this.#target === undefined) return;
    // One that follows no record of its own replaces the one before.
    if (this.#marks.at(-1)?.after === after) this.#marks.pop();
    this.#marks.push({ after, state });
  }

  /** So many records were given. */
  given(records: number): void {
    let last: { readonly state: unknown } | undefined;
    while ((this.#marks[0]?.after ?? Number.POSITIVE_INFINITY) <= records) last = this.#marks.shift();
    if (last !== undefined) this.#target?.onState(last.state);
  }
}
