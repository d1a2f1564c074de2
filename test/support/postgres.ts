import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { quickFolder } from '../runner/run-settings.ts';

/** What `createDatabase` needs of a test. */
interface Teardown {
  teardown(fn: () => unknown): void;
}

export interface TestDatabase {
  readonly url: string;
  /** Ends every connection to the database and removes it; safe to call twice. */
  drop(): Promise<void>;
}

const startWaitMs = 60_000;
const staleLockMs = 60_000;
const LEAVE_MS_MAX = 2_000;
const LOOK_EVERY_MS = 10;

/**
 * The folder that the test processes of one checkout share: `server.json` (where the server is), `lock` (who starts it),
 * `clients/<pid>` (who uses it).
 */
export function postgresFolder(): string {
  const checkout = resolve(import.meta.dirname, '..', '..');
  const key = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
  return join(quickFolder(), `headgate-test-postgres-${key}`);
}

/**
 * URL of a superuser on a running PostgreSQL: `HEADGATE_TEST_POSTGRES_URL` where it is set, else a server of the checkout,
 * started by the first process that asks (about 4 s). `postgres-server.ts` keeps it while a process that asked is alive, and stops it
 * a minute after the last one ended, so that no run has to clean up after itself.
 */
export async function postgresUrl(): Promise<string> {
  const given = process.env['HEADGATE_TEST_POSTGRES_URL'];
  if (given !== undefined && given !== '') return given;
  const folder = postgresFolder();
  mkdirSync(join(folder, 'clients'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, 'clients', String(process.pid)), '');
  const deadline = Date.now() + startWaitMs;
  while (Date.now() < deadline) {
    const url = readServer(folder);
    if (url !== null && (await answers(url))) return url;
    if (takeLock(folder)) {
      // The server removes the lock once it accepts connections, or when it fails.
      const log = openSync(join(folder, 'log'), 'w');
      const server = join(import.meta.dirname, 'postgres-server.ts');
      const env = { ...process.env, TMPDIR: folder };
      spawn(process.execPath, [server, folder], { env, detached: true, stdio: ['ignore', log, log] }).unref();
      closeSync(log);
    }
    await delay(100);
  }
  throw new Error(`PostgreSQL for tests did not start; see ${join(folder, 'log')}`);
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

function readServer(folder: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as { url: string }).url;
  } catch {
    return null;
  }
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

function takeLock(folder: string): boolean {
  const lock = join(folder, 'lock');
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch {
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleLockMs) rmSync(lock, { force: true });
    return false;
  }
}
