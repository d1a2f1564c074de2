/** How many values of each column have lost something in a load; those of a batch that is taken back do not count. */
export class LossyCounts {
  readonly #counts = new Map<string, number>();
  #batch = new Map<string, number>();

  /** A value of the batch that is being written. */
  note(column: string): void {
    this.#batch.set(column, (this.#batch.get(column) ?? 0) + 1);
  }

  /** The batch is in, or it is not. */
  endBatch(isIn: boolean): void {
    if (isIn)
      for (const [column, count] of this.#batch)
        this.#counts.set(column, (this.#counts.get(column) ?? 0) + count);
    if (this.#batch.size > 0) this.#batch = new Map();
  }

  /** As a commit tells it. */
  get told(): { readonly lossy?: ReadonlyMap<string, number> } {
    return this.#counts.size === 0 ? {} : { lossy: this.#counts };
  }
}
