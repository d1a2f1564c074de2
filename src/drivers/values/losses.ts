/** Counts values that have lost something, by column: those of a batch once it is in. */
export class Losses {
  readonly #kept = new Map<string, number>();
  #batch = new Map<string, number>();

  add(column: string): void {
    this.#batch.set(column, (this.#batch.get(column) ?? 0) + 1);
  }

  /** The batch is written anew, or not at all. */
  restart(): void {
    if (this.#batch.size > 0) this.#batch = new Map();
  }

  keep(): void {
    for (const [column, count] of this.#batch) this.#kept.set(column, (this.#kept.get(column) ?? 0) + count);
    this.restart();
  }

  /** Absent where nothing was lost. */
  get counts(): { readonly lossy?: ReadonlyMap<string, number> } {
    return this.#kept.size === 0 ? {} : { lossy: this.#kept };
  }
}
