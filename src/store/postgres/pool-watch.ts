import type { Socket } from 'node:net';
import pg from 'pg';
import { sleep } from '../../base/clock.ts';

/** After a connection was in use for this long, the watch checks whether the server answers at all, and again after the same time. */
const SUSPECT_MS = 1_500;
/** Between two looks. */
const LOOK_MS_MIN = 500;
const PROBE_MS_MAX = 2_000;
/** What arrived while this process itself was busy is read before the judgement. */
const GRACE_MS = 100;

/** Of `pg.Client`; its types leave it out. */
interface WithSocket {
  readonly connection: { readonly stream: Socket };
}

interface Loan {
  readonly since: number;
  /** Of the socket when it was looked at last, and since when it has not changed. */
  bytes: number;
  silentSince: number;
}

export interface PoolWatchOptions {
  readonly pool: pg.Pool;
  readonly url: string;
  /** Longer than any statement may take: a connection in use that is silent for this long is closed. */
  readonly silentMsMax: number;
  readonly onHung: (error: Error) => void;
}

/**
 * Tells a server that hangs from a statement that takes long. Watching → hung when a connection has been in use, or waited for,
 * for 1.5 s and the server does not greet another one within 2 s: every connection is closed, so that no call waits for it →
 * watching again by `answered`. While hung, `connect` rejects at once.
 */
export class PoolWatch {
  readonly #options: PoolWatchOptions;
  readonly #clients = new Set<pg.PoolClient>();
  /** Oldest first. */
  readonly #loans = new Map<pg.PoolClient, Loan>();
  /** Calls that wait for a connection, by what rejects them: since when. Oldest first. */
  readonly #waiting = new Map<(error: Error) => void, number>();
  #timer: NodeJS.Timeout | null = null;
  #hung: Error | null = null;
  #isStopped = false;

  constructor(options: PoolWatchOptions) {
    this.#options = options;
    const { pool } = options;
    pool.on('connect', (client) => this.#clients.add(client));
    pool.on('remove', (client) => {
      this.#clients.delete(client);
      this.#loans.delete(client);
    });
    pool.on('acquire', (client) => {
      const now = performance.now();
      this.#loans.set(client, { since: now, bytes: bytesOf(client), silentSince: now });
      this.#lookLater(SUSPECT_MS);
    });
    pool.on('release', (_error, client) => this.#loans.delete(client));
  }

  get isHung(): boolean {
    return this.#hung !== null;
  }

  /** A connection of the pool. Also who waits for one hears that the server hangs. */
  connect(): Promise<pg.PoolClient> {
    const { pool } = this.#options;
    if (this.#hung !== null) return Promise.reject(this.#hung);
    if (pool.idleCount > 0) return pool.connect();
    return new Promise((resolve, reject) => {
      this.#waiting.set(reject, performance.now());
      this.#lookLater(SUSPECT_MS);
      pool.connect().then(
        (client) => {
          if (this.#waiting.delete(reject)) resolve(client);
          else client.release();
        },
        (error: Error) => {
          this.#waiting.delete(reject);
          reject(error);
        },
      );
    });
  }

  /** The server has answered. */
  answered(): void {
    this.#hung = null;
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #lookLater(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#look().finally(() => {
        this.#timer = null;
        const since = this.#oldest();
        if (since !== null && !this.#isStopped)
          this.#lookLater(Math.max(SUSPECT_MS - (performance.now() - since), LOOK_MS_MIN));
      });
    }, ms).unref();
  }

  async #look(): Promise<void> {
    const since = this.#oldest();
    if (since === null || performance.now() - since < SUSPECT_MS) return;
    this.#closeSilent();
    const before = this.#bytesRead();
    const isAlive = await greets(this.#options.url);
    // Whatever any connection received meanwhile is an answer too.
    if (!isAlive && this.#oldest() !== null && this.#bytesRead() === before) this.#giveUp();
  }

  /** Since when the oldest connection in use, or the oldest call that waits for one, is. */
  #oldest(): number | null {
    const [loan] = this.#loans.values();
    const [waiting] = this.#waiting.values();
    if (loan === undefined) return waiting ?? null;
    return Math.min(loan.since, waiting ?? loan.since);
  }

  #giveUp(): void {
    const error = brokenConnection('PostgreSQL does not answer');
    this.#hung = error;
    // Also the idle ones: after a failover nobody would ever answer on them.
    for (const client of this.#clients) socketOf(client).destroy(error);
    for (const reject of this.#waiting.keys()) reject(error);
    this.#waiting.clear();
    this.#options.onHung(error);
  }

  #closeSilent(): void {
    const now = performance.now();
    for (const [client, loan] of this.#loans) {
      const bytes = bytesOf(client);
      if (bytes !== loan.bytes) {
        loan.bytes = bytes;
        loan.silentSince = now;
      } else if (now - loan.silentSince > this.#options.silentMsMax) {
        socketOf(client).destroy(brokenConnection('PostgreSQL fell silent on a connection'));
      }
    }
  }

  #bytesRead(): number {
    let sum = 0;
    for (const client of this.#clients) sum += bytesOf(client);
    return sum;
  }
}

/** As PostgreSQL itself says it, by SQLSTATE. */
function brokenConnection(message: string): Error {
  return Object.assign(new Error(message), { code: '08006' });
}

function socketOf(client: pg.PoolClient): Socket {
  return (client as unknown as WithSocket).connection.stream;
}

function bytesOf(client: pg.PoolClient): number {
  return socketOf(client).bytesRead;
}

/** Whether a server is there and speaks, on a connection of its own: a refusal such as "too many clients" is an answer as well. */
async function greets(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  let isAnswered = false;
  const asked = client.connect().then(
    () => true,
    (error: { readonly code?: string }) => error.code !== undefined && /^[0-9A-Z]{5}$/.test(error.code),
  );
  void asked.then((answer) => {
    isAnswered = answer;
  });
  await Promise.race([asked, sleep(PROBE_MS_MAX)]);
  if (!isAnswered) await sleep(GRACE_MS);
  if (isAnswered) client.end().catch(() => undefined);
  else (client as unknown as WithSocket).connection.stream.destroy();
  return isAnswered;
}

/** Does `sql` on a connection of its own. Rejects where that does not succeed within `msMax`. */
export async function tryServer(url: string, sql: string, msMax: number): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: msMax,
    query_timeout: msMax,
    statement_timeout: msMax,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    void client.end().catch(() => undefined);
  }
}
