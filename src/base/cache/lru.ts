/** A bounded map; the entry that was used longest ago goes first. */
export class Lru<V> {
  readonly #entriesMax: number;
  readonly #entries = new Map<string, V>();

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  /** The value of `key`, made when it is not there. What `make` throws is not kept. */
  get(key: string, make: () => V): V {
    const known = this.#entries.get(key);
    const value = known ?? make();
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#entriesMax) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    return value;
  }
}
