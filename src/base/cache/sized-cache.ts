export interface SizedCacheLimits {
  readonly entriesMax: number;
  /** Of all sizes together, in the unit that the caller counts in. */
  readonly sizeMax: number;
}

interface Entry<V> {
  readonly value: V;
  readonly size: number;
}

/** Values that never change under their key, bounded in number and in size together; the oldest goes first. */
export class SizedCache<V> {
  readonly #limits: SizedCacheLimits;
  readonly #entries = new Map<string, Entry<V>>();
  #size = 0;

  constructor(limits: SizedCacheLimits) {
    this.#limits = limits;
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** Keeps what is there already. A value that is larger than the whole room is not kept. */
  add(key: string, value: V, size: number): void {
    if (this.#entries.has(key)) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#limits.entriesMax && this.#size <= this.#limits.sizeMax) return;
      this.#entries.delete(oldest);
      this.#size -= entry.size;
    }
  }
}
