import type mysql from 'mysql2';
import { type ConnectContext, ConnectorError } from '../driver.ts';
import { trustedCertificates } from '../server-config.ts';
import { PendingCancels } from '../sql/pending-cancels.ts';
import { cancelled, SessionTurns, untilAborted } from '../sql/session-turns.ts';
import { addressOf, type MysqlConfig } from './config.ts';
import { MysqlClient } from './mysql-client.ts';
import { isServerError, type MysqlUse, mysqlFault } from './mysql-fault.ts';

const idleMs = 30_000;
/** A reader that waits for what comes after it does not lose its server: default 60 s. */
const netWriteTimeoutS = 3_600;
/** Longest wait for a lock that another transaction has on the target. */
const lockWaitS = 120;

/** What a session's server is. */
export interface Server {
  /** Not MySQL, which names a few settings otherwise. */
  readonly isMariaDb: boolean;
  /** 1011 is 10.11. */
  readonly version: number;
}

/** A session on loan; `broken` sessions are closed instead of used again. */
export interface Session extends Server {
  readonly client: MysqlClient;
  release(broken: boolean): void;
}

/**
 * `built`: statements of ours, with names in double quotes as in SQL. `raw`: a caller's own, to which double quotes are texts, as is
 * usual with MySQL. In both a backslash escapes, which the proof of read-only statements relies on.
 */
export type SqlMode = 'built' | 'raw';

type OpenSession = Omit<Session, 'release'>;

interface IdleSession extends OpenSession {
  readonly timer: NodeJS.Timeout;
}

/**
 * Sessions of one connector, at most `pool_size` at once; more callers wait in order, each no longer than its signal allows. A
 * session whose caller gives up is closed at once, and the server is asked to end its statement.
 */
export class SessionPool {
  readonly database: string;
  readonly #options: mysql.ConnectionOptions;
  readonly #config: MysqlConfig;
  readonly #turns: SessionTurns;
  readonly #idle: IdleSession[] = [];
  readonly #cancels = new PendingCancels();
  #isClosed = false;

  constructor(config: MysqlConfig, context: ConnectContext) {
    this.#turns = new SessionTurns(config.pool_size);
    const address = addressOf(config);
    if (typeof address === 'string') throw new ConnectorError('CONFIG', address);
    const { ssl, password, ...where } = address;
    this.#config = config;
    this.database = where.database;
    this.#options = {
      ...where,
      ...(password === undefined ? {} : { password }),
      ...(ssl === 'disable' ? {} : { ssl: tlsOf(ssl === 'verify-full', config.ca) }),
      connectTimeout: config.connect_timeout_ms ?? context.connectTimeoutMs,
      charset: 'utf8mb4_general_ci',
      supportBigNumbers: true,
      dateStrings: true,
      jsonStrings: true,
      maxPreparedStatements: 50,
    };
  }

  /** False where every load goes by INSERT. */
  get mayBulkLoad(): boolean {
    return this.#config.bulk_load;
  }

  get zeroDates(): MysqlConfig['zero_dates'] {
    return this.#config.zero_dates;
  }

  /** Runs `use` with a session; ends when the signal aborts, whatever the server does. */
  async run<T>(
    signal: AbortSignal,
    use: (session: Session) => Promise<T>,
    { mode = 'built', purpose = 'read' }: { mode?: SqlMode; purpose?: MysqlUse } = {},
  ): Promise<T> {
    const session = await this.take(signal, mode);
    let isBroken = true;
    try {
      const result = await use(session);
      isBroken = false;
      return result;
    } catch (error) {
      if (signal.aborted) throw cancelled(error);
      isBroken = !(await recovered(session.client, error));
      throw mysqlFault(error, purpose);
    } finally {
      session.release(isBroken);
    }
  }

  /**
   * A session that is closed, and its statement stopped, when the signal aborts. The caller gives it back. `isTimed`: the server ends
   * statements that take too long.
   */
  async take(signal: AbortSignal, mode: SqlMode = 'built', isTimed = true): Promise<Session> {
    await this.#turns.enter(signal);
    try {
      const open = await this.#idleOrNew(signal);
      const { client, isMariaDb } = open;
      const session = this.#guard(open, signal, (broken) => {
        if (broken) client.destroy();
        else this.#keep(open);
        this.#turns.leave();
      });
      try {
        await client.query(this.#settings(mode, isMariaDb, isTimed));
      } catch (error) {
        session.release(true);
        throw signal.aborted ? cancelled(error) : mysqlFault(error, 'read');
      }
      return session;
    } catch (error) {
      // A session that was guarded has left by its release.
      if (error instanceof ConnectorError) throw error;
      this.#turns.leave();
      throw signal.aborted ? cancelled(error) : mysqlFault(error, 'read');
    }
  }

  /** A session beside the pool, for a load, which holds it for as long as it takes. */
  async open(signal: AbortSignal): Promise<Session> {
    try {
      const open = await this.#connect(signal, this.#config.bulk_load);
      const { client, isMariaDb } = open;
      const session = this.#guard(open, signal, () => client.destroy());
      await client.query(this.#settings('built', isMariaDb, false));
      return session;
    } catch (error) {
      throw signal.aborted ? cancelled(error) : mysqlFault(error, 'read');
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#cancels.settled();
    for (const { client, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      client.end();
    }
  }

  async #idleOrNew(signal: AbortSignal): Promise<OpenSession> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (!idle.client.isEnded) return idle;
    }
    return this.#connect(signal, false);
  }

  async #connect(signal: AbortSignal, mayLoad: boolean): Promise<OpenSession> {
    // Without the flag a server has no way to ask for a file.
    const flags = mayLoad ? {} : { flags: ['-LOCAL_FILES'] };
    const client = await untilAborted(MysqlClient.connect({ ...this.#options, ...flags }, signal), signal);
    const { rows } = await client.query('SELECT version()').catch((error: unknown) => {
      client.destroy();
      throw error;
    });
    const words = String(rows[0]?.[0]);
    const [, major, minor] = /(\d+)\.(\d+)/.exec(words) ?? [];
    const version = Number(major) * 100 + Number(minor);
    return { client, isMariaDb: words.includes('MariaDB'), version };
  }

  #keep({ client, isMariaDb, version }: OpenSession): void {
    if (this.#isClosed) client.end();
    if (this.#isClosed || client.isEnded) return;
    const timer = setTimeout(() => {
      const at = this.#idle.findIndex((idle) => idle.client === client);
      if (at >= 0) this.#idle.splice(at, 1);
      client.end();
    }, idleMs);
    timer.unref();
    client.unref();
    this.#idle.push({ client, isMariaDb, version, timer });
  }

  #guard(
    { client, isMariaDb, version }: OpenSession,
    signal: AbortSignal,
    give: (broken: boolean) => void,
  ): Session {
    let isGiven = false;
    client.ref();
    const onAbort = () => {
      this.#cancels.add(this.#cancel(client.threadId));
      client.destroy();
    };
    const release = (broken: boolean) => {
      if (isGiven) return;
      isGiven = true;
      signal.removeEventListener('abort', onAbort);
      give(broken || signal.aborted);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return { client, isMariaDb, version, release };
  }

  /** Ends a session's statement by another one: a server that works does not look at its sockets. */
  async #cancel(threadId: number): Promise<void> {
    try {
      const flags = { flags: ['-LOCAL_FILES'] };
      const client = await MysqlClient.connect({ ...this.#options, ...flags }, new AbortController().signal);
      await client.query(`KILL ${Math.trunc(threadId)}`).finally(() => client.destroy());
    } catch {
      // The server cannot be reached, or the session has gone.
    }
  }

  /** Settings that the reading of values and of statements relies on. */
  #settings(mode: SqlMode, isMariaDb: boolean, isTimed: boolean): string {
    const zero = this.#config.zero_dates === 'text' ? '' : ',NO_ZERO_IN_DATE,NO_ZERO_DATE';
    const quotes = mode === 'built' ? 'ANSI_QUOTES,' : '';
    const strict = `${quotes}STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION${zero}`;
    const ms = isTimed ? Math.trunc(this.#config.statement_timeout_ms) : 0;
    const timeout = isMariaDb ? `max_statement_time = ${ms / 1_000}` : `max_execution_time = ${ms}`;
    return `SET SESSION sql_mode = '${strict},NO_AUTO_VALUE_ON_ZERO', time_zone = '+00:00', ${timeout},
      net_write_timeout = ${netWriteTimeoutS}, lock_wait_timeout = ${lockWaitS},
      innodb_lock_wait_timeout = ${lockWaitS}, autocommit = 1`;
  }
}

/** True when the session is fit for its next caller: the error was the server's or ours, and its transaction is rolled back. */
export async function recovered(client: MysqlClient, error: unknown): Promise<boolean> {
  if (!isServerError(error) && !(error instanceof ConnectorError)) return false;
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

function tlsOf(verifies: boolean, ca: string | undefined): mysql.SslOptions {
  return {
    rejectUnauthorized: verifies,
    verifyIdentity: verifies,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? {} : { ca: trustedCertificates(ca) }),
  };
}
