import type { Connection } from '../../drivers/driver.ts';

/** Connections that wait for their next use, by the connector's local name: those of a foreach, which opens none for each item. */
export class IdleConnections {
  readonly #idle: Map<string, Connection[]>;
  readonly #nameOf: (local: string) => string;

  constructor(idle = new Map<string, Connection[]>(), nameOf = (local: string) => local) {
    this.#idle = idle;
    this.#nameOf = nameOf;
  }

  /** The same connections for a task that has these connectors under names of its own. */
  as(names: Readonly<Record<string, string>>): IdleConnections {
    return new IdleConnections(this.#idle, (local) => this.#nameOf(names[local] ?? local));
  }

  take(connector: string): Connection | undefined {
    return this.#idle.get(this.#nameOf(connector))?.pop();
  }

  /** Only for one whose last use went well. */
  give(local: string, connection: Connection): void {
    const connector = this.#nameOf(local);
    const waiting = this.#idle.get(connector);
    if (waiting === undefined) this.#idle.set(connector, [connection]);
    else waiting.push(connection);
  }

  /** All of them; they wait no more. */
  clear(): readonly Connection[] {
    const all = [...this.#idle.values()].flat();
    this.#idle.clear();
    return all;
  }
}
