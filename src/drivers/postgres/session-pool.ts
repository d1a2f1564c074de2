import type pg from 'pg';
import { BoundedClient, createPgPool } from '../../base/pg-pool.ts';
import { type ConnectContext, ConnectorError } from '../driver.ts';
import { trustedCertificates } from '../server-config.ts';
import { quoteIdentifier } from '../sql/identifier.ts';
import { PendingCancels } from '../sql/pending-cancels.ts';
import { cancelled, SessionTurns, untilAborted } from '../sql/session-turns.ts';
import { addressOf, type PostgresConfig } from './config.ts';
import { isServerError, type PostgresUse, postgresFault } from './postgres-fault.ts';
import { typeParsers } from './value-type.ts';

const idleMs = 30_000;

/** A session on loan; `broken` sessions are closed instead of used again. */
export interface Session {
  readonly client: pg.Client | pg.PoolClient;
  release(broken: boolean): void;
}

/**
 * Sessions of one connector, at most `pool_size` at once; more callers wait in order, each no longer than its signal allows. A
 * session whose caller gives up is closed at once, and the server is asked to cancel its statement.
 */
export class SessionPool {
  readonly #options: pg.ClientConfig;
  readonly #schema: string;
  readonly #pool: pg.Pool;
  readonly #turns: SessionTurns;
  readonly #prepared = new WeakSet<object>();
  readonly #cancels = new PendingCancels();

  constructor(config: PostgresConfig, context: ConnectContext) {
    this.#turns = new SessionTurns(config.pool_size);
    const address = addressOf(config);
    if (typeof address === 'string') throw new ConnectorError('CONFIG', address);
    const { ssl, ...where } = address;
    this.#schema = config.schema;
    this.#options = {
      ...where,
      ssl: ssl !== 'disable' && {
        rejectUnauthorized: ssl === 'verify-full',
        ...(config.ca === undefined ? {} : { ca: trustedCertificates(config.ca) }),
      },
      connectionTimeoutMillis: config.connect_timeout_ms ?? context.connectTimeoutMs,
      application_name: config.application_name,
      keepAlive: true,
      types: typeParsers as pg.CustomTypesConfig,
    };
    const pooled = { max: config.pool_size, idleTimeoutMillis: idleMs, allowExitOnIdle: true };
    // A session that dies while idle is dropped by the pool; the next caller gets a new one.
    this.#pool = createPgPool({ ...this.#options, ...pooled, Client: BoundedClient }, () => undefined);
  }

  /** Runs `use` with a session; ends when the signal aborts, whatever the server does. */
  async run<T>(
    signal: AbortSignal,
    use: (client: pg.ClientBase) => Promise<T>,
    purpose: PostgresUse = 'read',
  ): Promise<T> {
    const session = await this.take(signal);
    let isBroken = true;
    try {
      const result = await use(session.client);
      isBroken = false;
      return result;
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      isBroken = !(await recovered(session.client, error));
      throw postgresFault(error, purpose);
    } finally {
      session.release(isBroken);
    }
  }

  /** A session that is closed, and its statement stopped, when the signal aborts. The caller gives it back. */
  async take(signal: AbortSignal): Promise<Session> {
    await this.#turns.enter(signal);
    try {
      const connecting = this.#pool.connect();
      const client = await untilAborted(connecting, signal).catch((error: unknown) => {
        connecting.then((late) => late.release(true)).catch(() => undefined);
        throw error;
      });
      const session = this.#guard(client, signal, (broken) => {
        client.release(broken);
        this.#turns.leave();
      });
      try {
        await this.#prepare(client);
      } catch (error) {
        session.release(true);
        throw signal.aborted ? cancelled(error) : postgresFault(error, 'read');
      }
      return session;
    } catch (error) {
      // A session that was guarded has left by its release.
      if (!(error instanceof ConnectorError)) {
        this.#turns.leave();
        throw signal.aborted ? cancelled(error) : postgresFault(error, 'read');
      }
      throw error;
    }
  }

  /** A session beside the pool, for a load, which holds it for as long as it takes. */
  async open(signal: AbortSignal): Promise<Session> {
    const client = new BoundedClient(this.#options);
    client.on('error', () => undefined);
    const connecting = client.connect();
    try {
      await untilAborted(connecting, signal);
      const session = this.#guard(client, signal, () => {
        void client.end().catch(() => undefined);
      });
      await this.#prepare(client);
      return session;
    } catch (error) {
      connecting.catch(() => undefined);
      void client.end().catch(() => undefined);
      throw signal.aborted ? cancelled(error) : postgresFault(error, 'read');
    }
  }

  async close(): Promise<void> {
    await this.#cancels.settled();
    await this.#pool.end();
  }

  #guard(client: pg.Client | pg.PoolClient, signal: AbortSignal, give: (broken: boolean) => void): Session {
    let isGiven = false;
    const onAbort = () => {
      // Ending a client in the middle of a statement closes its socket, which rejects whatever waits for it.
      this.#cancels.add(this.#cancel((client as { processID?: number | null }).processID ?? null));
      void (client as pg.Client).end().catch(() => undefined);
    };
    const release = (broken: boolean) => {
      if (isGiven) return;
      isGiven = true;
      signal.removeEventListener('abort', onAbort);
      give(broken || signal.aborted);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return { client, release };
  }

  /** Stops the statement of another session; best effort, since that session's socket is closed anyway. */
  async #cancel(processId: number | null): Promise<void> {
    if (processId === null) return;
    const client = new BoundedClient(this.#options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('SELECT pg_cancel_backend($1)', [processId]);
    } catch {
      // The server cannot be reached: it will find the closed socket by itself.
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Settings that the reading of values and of statements relies on. */
  async #prepare(client: pg.ClientBase): Promise<void> {
    if (this.#prepared.has(client)) return;
    await client.query(
      `SET timezone = 'UTC'; SET datestyle = 'ISO'; SET intervalstyle = 'iso_8601'; SET bytea_output = 'hex';
       SET standard_conforming_strings = on; SET client_encoding = 'UTF8';
       SET search_path = ${quoteIdentifier(this.#schema)}`,
    );
    this.#prepared.add(client);
  }
}

/** True when the session is fit for its next caller: the error was the server's or ours, and its transaction is rolled back. */
export async function recovered(client: pg.ClientBase, error: unknown): Promise<boolean> {
  if (!isServerError(error) && !(error instanceof ConnectorError)) return false;
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}
