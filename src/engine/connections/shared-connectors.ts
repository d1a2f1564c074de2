import { SharedResource } from '../../drivers/uses/shared-resource.ts';

/** What the connections of each connector of a run share, by the connector's local name. */
export class SharedConnectors {
  readonly #shared: Map<string, SharedResource>;
  readonly #nameOf: (local: string) => string;

  constructor(shared = new Map<string, SharedResource>(), nameOf = (local: string) => local) {
    this.#shared = shared;
    this.#nameOf = nameOf;
  }

  /** The same for a task that has these connectors under names of its own. */
  as(names: Readonly<Record<string, string>>): SharedConnectors {
    return new SharedConnectors(this.#shared, (local) => this.#nameOf(names[local] ?? local));
  }

  of(local: string): SharedResource {
    const connector = this.#nameOf(local);
    const known = this.#shared.get(connector);
    if (known !== undefined) return known;
    const made = new SharedResource();
    this.#shared.set(connector, made);
    return made;
  }

  /** Never rejects: nothing of value hangs on it any more. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#shared.values()].map((shared) => shared.close()));
  }
}
