import type { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from '../../base/logger.ts';

const CHANNEL = 'headgate';
const RECONNECT_MS = 1_000;
const CONNECT_MS_MAX = 10_000;
/** Of a statement: a server that hangs must not keep back what this server tells itself. */
const QUERY_MS_MAX = 4_000;

/**
 * `LISTEN`/`NOTIFY` on one connection of its own. Modes: stopped → connected ↔ reconnecting → stopped. Notifications that came
 * while it was reconnecting are lost, so it wakes everybody once it is back; listeners also poll, slowly.
 * Source: https://www.postgresql.org/docs/18/sql-notify.html.
 */
export class PostgresNotifications {
  readonly #url: string;
  readonly #emitter: EventEmitter;
  readonly #logger: Logger;
  #client: pg.Client | null = null;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  readonly #untold = new Set<string>();
  #telling = false;

  constructor(url: string, emitter: EventEmitter, logger: Logger) {
    this.#url = url;
    this.#emitter = emitter;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: QUERY_MS_MAX,
      keepAlive: true,
    });
    client.on('notification', (message) => this.#emitter.emit(message.payload ?? ''));
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, null));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
    if (this.#stopped) await client.end();
    else this.#client = client;
  }

  /** Notifications during a running statement are sent together, each channel once. */
  notify(channel: string): void {
    this.#untold.add(channel);
    if (!this.#telling) void this.#tell();
  }

  async #tell(): Promise<void> {
    this.#telling = true;
    // The rest of this turn may add more.
    await Promise.resolve();
    while (this.#untold.size > 0) {
      const channels = [...this.#untold];
      this.#untold.clear();
      const client = this.#client;
      const told = client !== null && (await this.#send(client, channels));
      if (!told) for (const channel of channels) this.#emitter.emit(channel);
    }
    this.#telling = false;
  }

  async #send(client: pg.Client, channels: readonly string[]): Promise<boolean> {
    try {
      await client.query('select pg_notify($1, channel) from unnest($2::text[]) as channel', [
        CHANNEL,
        channels,
      ]);
      return true;
    } catch (error) {
      this.#lost(client, error as Error);
      return false;
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  /** Late events of a connection that has already been replaced are ignored. */
  #lost(client: pg.Client, error: Error | null): void {
    if (this.#stopped || client !== this.#client) return;
    this.#client = null;
    client.end().catch(() => undefined);
    this.#logger.warn({ err: error }, 'the notification connection was lost; reconnecting');
    this.#reconnectLater();
  }

  #reconnectLater(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.start().then(
        () => this.#wakeAll(),
        (error: Error) => {
          this.#logger.warn({ err: error }, 'the notification connection could not be opened; retrying');
          if (!this.#stopped) this.#reconnectLater();
        },
      );
    }, RECONNECT_MS);
  }

  #wakeAll(): void {
    for (const channel of this.#emitter.eventNames()) this.#emitter.emit(channel);
  }
}
