import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { sharedServerUrl } from './shared-server.ts';

/** What `createDatabase` needs of a test. */
interface Teardown {
  teardown(fn: () => unknown): void;
}

export interface TestDatabase {
  readonly url: string;
  /** Ends every connection to the database and removes it; safe to call twice. */
  drop(): Promise<void>;
}

const LEAVE_MS_MAX = 2_000;
const LOOK_EVERY_MS = 10;

/** URL of a superuser on a running PostgreSQL: `HEADGATE_TEST_POSTGRES_URL` where it is set, else the checkout's (about 4 s to start). */
export async function postgresUrl(): Promise<string> {
  const given = process.env['HEADGATE_TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') return given;
  const program = join(import.meta.dirname, 'postgres-server.ts');
  return sharedServerUrl({ engine: 'postgres', program, answers });
}

/** A new database, empty or a copy of a template that this makes where there is none; dropped when the test ends. */
export async function createDatabase(
  t: Teardown,
  templateOf?: (admin: PostgresAdmin) => Promise<string>,
): Promise<TestDatabase> {
  const admin = await postgresAdmin();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const template = templateOf === undefined ? 'template1' : await templateOf(admin);
  // Of the two strategies the one that takes less of the processor: there is no disk to wait for.
  await admin.query(`CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY FILE_COPY`);
  let dropped: Promise<void> | undefined;
  const drop = () => {
    dropped ??= admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`).then(() => undefined);
    return dropped;
  };
  t.teardown(async () => {
    if (dropped === undefined) await untilLeft(admin, name);
    await drop();
  });
  return { url: admin.urlOf(name), drop };
}

/** A connection that is about to end would take being ended for an error: `pool.end()` does not wait for it. */
async function untilLeft(admin: PostgresAdmin, database: string): Promise<void> {
  const end = performance.now() + LEAVE_MS_MAX;
  const inUse = `SELECT FROM pg_stat_activity WHERE datname = '${database}' LIMIT 1`;
  while ((await admin.query(inUse)).rowCount === 1 && performance.now() < end) await delay(LOOK_EVERY_MS);
}

/** The types of `pg` leave these two out. */
type KeptClient = pg.Client & { ref(): void; unref(): void };

/** A superuser's connection that a process keeps, without being kept alive by it. */
export class PostgresAdmin {
  readonly #client: KeptClient;
  readonly #url: string;
  #pending = 0;

  constructor(client: KeptClient, url: string) {
    this.#client = client;
    this.#url = url;
    client.unref();
  }

  async query(sql: string): Promise<pg.QueryResult> {
    if (this.#pending++ === 0) this.#client.ref();
    try {
      return await this.#client.query(sql);
    } finally {
      if (--this.#pending === 0) this.#client.unref();
    }
  }

  urlOf(database: string): string {
    const url = new URL(this.#url);
    url.pathname = `/${database}`;
    return url.href;
  }
}

let kept: Promise<PostgresAdmin> | undefined;

function postgresAdmin(): Promise<PostgresAdmin> {
  kept ??= postgresUrl().then(async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return new PostgresAdmin(client as KeptClient, url);
  });
  return kept;
}

async function answers(url: string): Promise<boolean> {
  try {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
