import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quickFolder } from '../runner/run-settings.ts';
import { freePort } from './free-port.ts';
import { isAlive } from './watched-processes.ts';

const startWaitMs = 60_000;
const staleLockMs = 60_000;
const idleMs = 60_000;
const pollMs = 2_000;
/** A server that is busy may leave a question open for seconds; one whose owner lives counts as dead only after this. */
const silentMsMax = 20_000;

/**
 * The folder that the test processes of one checkout share: `server.json` (where the server is, and whose), `lock` (who starts it),
 * `clients/<pid>` (who uses it).
 */
function serverFolder(engine: string): string {
  const checkout = resolve(import.meta.dirname, '..', '..');
  const key = createHash('sha256').update(checkout).digest('hex').slice(0, 12);
  return join(quickFolder(), `headgate-test-${engine}-${key}`);
}

export interface SharedServer {
  /** In messages and names of folders. */
  readonly engine: string;
  /** The program that owns the server, and calls `keepServer`. */
  readonly program: string;
  answers(url: string): Promise<boolean>;
}

/**
 * URL of a server of the checkout, started by the first process that asks. Its owner keeps it while a process that asked is alive,
 * and stops it a minute after the last one ended, so that no run has to clean up after itself.
 */
export async function sharedServerUrl({ engine, program, answers }: SharedServer): Promise<string> {
  const folder = serverFolder(engine);
  mkdirSync(join(folder, 'clients'), { recursive: true, mode: 0o755 });
  writeFileSync(join(folder, 'clients', String(process.pid)), '');
  const askedAt = Date.now();
  while (Date.now() - askedAt < startWaitMs) {
    const server = readServer(folder);
    if (server !== null && (await answers(server.url))) return server.url;
    const isBusy = server !== null && isAlive(server.owner) && Date.now() - askedAt < silentMsMax;
    if (!isBusy && takeLock(folder)) {
      // The server removes the lock once it accepts connections, or when it fails.
      const log = openSync(join(folder, 'log'), 'w');
      const env = { ...process.env, TMPDIR: folder };
      spawn(process.execPath, [program, folder], {
        env,
        detached: true,
        stdio: ['ignore', log, log],
      }).unref();
      closeSync(log);
    }
    await delay(100);
  }
  throw new Error(`The ${engine} for tests did not start; see ${join(folder, 'log')}`);
}

interface ServerState {
  readonly url: string;
  /** Its process. */
  readonly owner: number;
}

function readServer(folder: string): ServerState | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as ServerState;
  } catch {
    return null;
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

/** A server that has started. */
export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * The work of the owner's process: starts a server with a new data folder, says where it is in `server.json`, and stops it once no
 * process of `clients/` has been alive for a minute. Nothing is kept from one server to the next.
 */
export async function keepServer(
  folder: string,
  start: (dataFolder: string, port: number) => Promise<RunningServer>,
): Promise<void> {
  const state = join(folder, 'server.json');
  for (const name of readdirSync(folder)) {
    if (!name.startsWith('data-')) continue;
    endLeftServer(join(folder, name));
    rmSync(join(folder, name), { recursive: true, force: true });
  }
  const port = await freePort();
  const dataFolder = join(folder, `data-${port}`);
  mkdirSync(dataFolder, { mode: 0o700 });
  let server: RunningServer;
  const publish = (url: string) => {
    const published: ServerState = { url, owner: process.pid };
    writeFileSync(`${state}.new`, JSON.stringify(published));
    renameSync(`${state}.new`, state);
  };
  try {
    server = await start(dataFolder, port);
    publish(server.url);
  } finally {
    rmSync(join(folder, 'lock'), { force: true });
  }
  for (;;) {
    await untilIdle(folder);
    rmSync(state, { force: true });
    // Whoever came before the file was gone has left its name by now, and keeps the server.
    await delay(pollMs);
    if (!clientsAlive(folder)) break;
    publish(server.url);
  }
  await server.stop();
}

/** A server whose owner was killed; PostgreSQL ends by itself when its data folder is gone. */
function endLeftServer(dataFolder: string): void {
  try {
    process.kill(Number(readFileSync(join(dataFolder, 'server.pid'), 'utf8')), 'SIGKILL');
  } catch {
    // It has ended, or writes no such file.
  }
}

function clientsAlive(folder: string): boolean {
  let alive = false;
  for (const name of readdirSync(join(folder, 'clients'))) {
    if (isAlive(Number(name))) alive = true;
    else rmSync(join(folder, 'clients', name), { force: true });
  }
  return alive;
}

async function untilIdle(folder: string): Promise<void> {
  let lastAliveAt = Date.now();
  while (Date.now() - lastAliveAt < idleMs) {
    await delay(pollMs);
    if (clientsAlive(folder)) lastAliveAt = Date.now();
  }
}
