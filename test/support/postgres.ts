import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

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

/**
 * The folder that the test processes of one checkout share: `server.json` (where the server is), `lock` (who starts it),
 * `clients/<pid>` (who uses it).
 */
export function postgresFolder(): string {
  const checkout = resolve(import.meta.dirname, '..', '..');
  const key = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
  return join(tmpdir(), `headgate-test-postgres-${key}`);
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
      spawn(process.execPath, [server, folder], { detached: true, stdio: ['ignore', log, log] }).unref();
      closeSync(log);
    }
    await delay(100);
  }
  throw new Error(`PostgreSQL for tests did not start; see ${join(folder, 'log')}`);
}

/** A new, empty database; dropped when the test ends. */
export async function createDatabase(t: Teardown): Promise<TestDatabase> {
  const admin = await postgresUrl();
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await execute(admin, `CREATE DATABASE "${name}"`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  let dropped: Promise<void> | undefined;
  const drop = () => {
    dropped ??= execute(admin, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    return dropped;
  };
  t.teardown(drop);
  return { url: url.href, drop };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
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
    await execute(url, 'SELECT 1');
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
