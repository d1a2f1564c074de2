import type { Connection } from '../drivers/driver.ts';

/** Connections that wait for their next use, by the connector's local name: those of a foreach, which opens none for each item. */
export class IdleConnections {
  readonly #idle = new Map<string, Connection[]>();

  take(connector: string): Connection | undefined {
    return this.#idle.get(connector)?.pop();
  }

  /** Only for one whose last use went well. */
  give(connector: string, connection: Connection): void {
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
