import { canonicalJson } from '../base/json.ts';
import { createRedactor } from '../base/text/redactor.ts';
import type { DriverFile } from './custom/driver-file.ts';
import { type ConnectContext, type Connection, ConnectorError, type Driver } from './driver.ts';

/** A saved connector, or with `id` 0 one that is not saved, whose connection is never kept. */
export interface ConnectorRef {
  readonly id: number;
  readonly version: number;
  readonly type: string;
  readonly config: unknown;
  /** Texts that nobody may be told, whatever the other side answers. Default: none. */
  readonly secrets?: readonly string[];
  /** Why it cannot be used, for those who set it up: opening it fails with this. */
  readonly problem?: string;
}

export interface ConnectionCacheOptions {
  readonly loadDriver: (type: string, files?: readonly DriverFile[]) => Promise<Driver | undefined>;
  readonly context: ConnectContext;
  /** Default 16. More may be open while they are all in use. */
  readonly connectionsMax?: number;
  /** Idle connections are closed after this time, default 60,000. */
  readonly idleMsMax?: number;
}

/** What a caller works with. */
export interface OpenConnector {
  readonly driver: Driver;
  readonly connection: Connection;
}

interface Entry {
  readonly opened: Promise<OpenConnector>;
  users: number;
  /** Closed as soon as nobody uses it. */
  dropped: boolean;
  idle: NodeJS.Timeout | undefined;
}

/** The open connections of one thread, by connector, version and configuration; the least recently used is closed first. */
export class ConnectionCache {
  readonly #options: ConnectionCacheOptions;
  readonly #connectionsMax: number;
  readonly #idleMsMax: number;
  /** In order of last use. */
  readonly #entries = new Map<string, Entry>();

  constructor(options: ConnectionCacheOptions) {
    this.#options = options;
    this.#connectionsMax = options.connectionsMax ?? 16;
    this.#idleMsMax = options.idleMsMax ?? 60_000;
  }

  /** Connections that are open or opening. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * Lends the connector's connection to `work`, and opens it when there is none. Rejects with what `work` or the driver throws, whose
   * message names no secret of the connector. A connection that failed to open, or that was not reachable in use, is not kept.
   */
  async use<T>(connector: ConnectorRef, work: (open: OpenConnector) => Promise<T>): Promise<T> {
    const key = canonicalJson([connector.id, connector.version, connector.type, connector.config]);
    const entry = this.#take(key, connector);
    try {
      return await work(await entry.opened);
    } catch (error) {
      if (breaksConnection(error)) this.#drop(key, entry);
      throw redacted(error, connector);
    } finally {
      this.#giveBack(key, entry);
    }
  }

  /** Closes what is idle now, and the rest as soon as it is given back. */
  async close(): Promise<void> {
    const entries = [...this.#entries];
    for (const [key, entry] of entries) this.#drop(key, entry);
    await Promise.allSettled(
      entries.filter(([, entry]) => entry.users === 0).map(([, entry]) => closeOf(entry)),
    );
  }

  #take(key: string, connector: ConnectorRef): Entry {
    const known = connector.id === 0 ? undefined : this.#entries.get(key);
    const entry: Entry = known ?? {
      opened: this.#open(connector),
      users: 0,
      dropped: connector.id === 0,
      idle: undefined,
    };
    clearTimeout(entry.idle);
    entry.users += 1;
    if (entry.dropped) return entry;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (known === undefined) {
      entry.opened.catch(() => this.#drop(key, entry));
      this.#evict();
    }
    return entry;
  }

  async #open({ type, config, problem }: ConnectorRef): Promise<OpenConnector> {
    if (problem !== undefined) throw new ConnectorError('CONFIG', problem);
    const driver = await this.#options.loadDriver(type, this.#options.context.drivers);
    if (driver === undefined) throw new ConnectorError('CONFIG', `There is no connector type "${type}"`);
    return { driver, connection: await driver.connect(config, this.#options.context) };
  }

  #giveBack(key: string, entry: Entry): void {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (entry.dropped) void closeOf(entry);
    else entry.idle = setTimeout(() => this.#closeIdle(key, entry), this.#idleMsMax).unref();
  }

  #evict(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= this.#connectionsMax) return;
      if (entry.users === 0) this.#closeIdle(key, entry);
    }
  }

  #closeIdle(key: string, entry: Entry): void {
    this.#drop(key, entry);
    void closeOf(entry);
  }

  #drop(key: string, entry: Entry): void {
    clearTimeout(entry.idle);
    entry.dropped = true;
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
  }
}

/** APIs repeat what they were sent, such as a token that they refuse. */
function redacted(error: unknown, { secrets = [] }: ConnectorRef): unknown {
  // The message of a DOMException cannot be written, and is never the other side's.
  if (error instanceof Error && !(error instanceof DOMException)) {
    const redactor = createRedactor(secrets);
    const { message, stack = '' } = error;
    error.message = redactor.text(message);
    error.stack = redactor.text(stack);
  }
  return error;
}

function breaksConnection(error: unknown): boolean {
  return error instanceof ConnectorError && (error.fault === 'UNAVAILABLE' || error.fault === 'AUTH');
}

/** A connection that cannot be closed has nothing left that could be done about it. */
async function closeOf(entry: Entry): Promise<void> {
  try {
    await (await entry.opened).connection.close();
  } catch {
    return;
  }
}
