/** Values that have lost something, by column; those of a batch count once it is in. */
export class Losses {
  readonly #counts = new Map<string, number>();
  readonly #ofBatch = new Map<string, number>();

  note(column: string): void {
    this.#ofBatch.set(column, (this.#ofBatch.get(column) ?? 0) + 1);
  }

  /** What was noted since the last time belongs to a batch that is not in. */
  begin(): void {
    this.#ofBatch.clear();
  }

  keep(): void {
    for (const [column, count] of this.#ofBatch)
      this.#counts.set(column, (this.#counts.get(column) ?? 0) + count);
    this.#ofBatch.clear();
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}
