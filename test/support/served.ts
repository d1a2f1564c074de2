import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { createFirstUser, type FirstUser } from '../../src/commands/demo/first-user.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { freePort } from './free-port.ts';
import { createDatabase } from './postgres.ts';
import { MAIN } from './program.ts';
import { programEnvironment } from './program-environment.ts';
import { postgresTemplate, sqliteTemplate } from './store-templates.ts';
import { DEFAULT_STORE_KIND, type StoreKind } from './stores.ts';

const READY_MS_MAX = 30_000;

/** What a test gives: its folder, and what is done at its end. */
export type TestPlace = Pick<Test, 'teardown' | 'testdir' | 'testdirName'>;

/** A real `headgate serve` in its own processes, used as anybody outside would. */
export interface Served {
  readonly url: string;
  /** With an API key of the first superadmin. */
  readonly api: ApiClient;
  readonly apiKey: string;
  /** The first superadmin. */
  readonly user: FirstUser;
  readonly folder: string;
  /** Process ids by what they are: `executor-child`, `threads/host`, `runner-entry`. */
  pids(what: string): number[];
  /** `kill -9` of the control plane alone. */
  killControlPlane(): Promise<void>;
  /** Starts the server again on the same folder and port. */
  restart(): Promise<void>;
}

/** Starts a server on a fresh folder with an empty store, migrated already; stopped when the test ends. `main`: the program's entry, of the package when left out; `kind`: where its state is. */
export async function serve(
  t: TestPlace,
  settings: Readonly<Record<string, string>> = {},
  main = MAIN,
  kind: StoreKind = DEFAULT_STORE_KIND,
): Promise<Served> {
  const folder = t.testdir({ files: {} });
  const state = await stateOf(t, kind, folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...programEnvironment(),
    ...state,
    SVC_METRICS_PATH: join(folder, 'metrics.db'),
    SVC_HTTP_PORT: String(port),
    SVC_FILE_ROOTS: join(folder, 'files'),
    SVC_LOG_LEVEL: 'error',
    ...settings,
  };
  let { child, token } = await start(main, env, folder);
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
  if (token === null) throw new Error('the server printed no setup token');
  const user = await createFirstUser(url, token);
  return {
    url,
    api: createApiClient({ baseUrl: url, key: user.apiKey }),
    apiKey: user.apiKey,
    user,
    folder: join(folder, 'files'),
    pids: (what) =>
      descendants(child.pid ?? 0).flatMap(({ pid, args }) => (args.includes(what) ? [pid] : [])),
    async killControlPlane() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async restart() {
      ({ child, token } = await start(main, env, folder, true));
    },
  };
}

async function stateOf(t: TestPlace, kind: StoreKind, folder: string): Promise<Record<string, string>> {
  if (kind === 'postgres') return { SVC_STATE_URL: (await createDatabase(t, postgresTemplate)).url };
  for (const file of await sqliteTemplate()) copyFileSync(file, join(folder, basename(file)));
  return { SVC_STATE_PATH: join(folder, 'state.db') };
}

async function start(
  main: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  isAgain = false,
): Promise<{ child: ChildProcess; token: string | null }> {
  const child = spawn(process.execPath, [main, 'serve'], { env, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let token: string | null = null;
  const ownLastLine = isAgain ? 'Executors connect to ' : 'Setup token: ';
  const lastLine = env['SVC_EXECUTOR_EMBEDDED'] === 'false' ? ownLastLine : 'Executor "embedded"';
  const ready = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server is not ready in time')), READY_MS_MAX);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    if (child.stdout === null) throw new Error('no standard output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      token = /^Setup token: (\S+)$/.exec(line)?.[1] ?? token;
      if (line.startsWith(lastLine)) done();
    });
  });
  try {
    await ready;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return { child, token };
}

interface ProcessRow {
  readonly pid: number;
  readonly ppid: number;
  readonly args: string;
}

function descendants(root: number): ProcessRow[] {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const rows = table.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match === null ? [] : [{ pid: Number(match[1]), ppid: Number(match[2]), args: match[3] ?? '' }];
  });
  const found = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const row of rows) {
      if (!found.has(row.ppid) || found.has(row.pid)) continue;
      found.add(row.pid);
      grown = true;
    }
  }
  return rows.filter((row) => found.has(row.pid));
}

/** Asks again, after `everyMs`, until `found` gives something, at most `ms`: seldom where an answer costs the server much, or comes late. */
export async function until<T>(
  what: string,
  ms: number,
  found: () => Promise<T | null | undefined | false>,
  everyMs = 50,
): Promise<T> {
  const end = performance.now() + ms;
  for (;;) {
    const value = await found();
    if (value !== null && value !== undefined && value !== false) return value;
    if (performance.now() > end) throw new Error(`${what}: not in ${ms} ms`);
    await delay(everyMs);
  }
}
