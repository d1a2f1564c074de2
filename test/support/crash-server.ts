import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { freePort } from './free-port.ts';
import { MAIN } from './program.ts';
import { programEnvironment } from './program-environment.ts';

const READY_MS_MAX = 60_000;

export const EXECUTOR_KEY = '5d0f7a9c31be48d28e6a4c7f90b2d1e6';
export const ENCRYPTION_KEY = '1b7e4f0a92c85d36e14b7a09fd3c6852';

export type Settings = Readonly<Record<string, string>>;

/**
 * One control plane in a process of its own, on ports that stay the same over every start, without an executor. What tests that
 * kill servers need and `serve` (served.ts) does not have: a death while it starts, several on one store, other settings at each
 * start.
 */
export class CrashServer {
  readonly url: string;
  readonly grpcAddress: string;
  /** Printed by the first start on an empty store. */
  setupToken: string | null = null;
  readonly #env: Settings;
  readonly #folder: string;
  #child: ChildProcess | null = null;

  constructor(folder: string, env: Settings, url: string, grpcAddress: string) {
    this.#folder = folder;
    this.#env = env;
    this.url = url;
    this.grpcAddress = grpcAddress;
  }

  /** Nothing runs yet. Ended with the test. */
  static async prepare(t: Test, folder: string, settings: Settings = {}): Promise<CrashServer> {
    const [port, grpcPort] = [await freePort(), await freePort()];
    const state = settings['SVC_STATE_URL'] === undefined ? { SVC_STATE_PATH: join(folder, 'state.db') } : {};
    const env = {
      ...programEnvironment(),
      ...state,
      SVC_METRICS_PATH: join(folder, 'metrics.db'),
      SVC_HTTP_PORT: String(port),
      SVC_GRPC_PORT: String(grpcPort),
      SVC_EXECUTOR_EMBEDDED: 'false',
      SVC_EXECUTOR_KEY: EXECUTOR_KEY,
      SVC_ENCRYPTION_KEY: ENCRYPTION_KEY,
      SVC_RATE_LIMIT_PER_MINUTE: '1000000',
      SVC_LOG_LEVEL: 'silent',
      ...settings,
    };
    const server = new CrashServer(folder, env, `http://127.0.0.1:${port}`, `127.0.0.1:${grpcPort}`);
    t.teardown(() => server.kill());
    return server;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Until it is ready, or has died on the way; which of them. `settings` are for this start alone. */
  async start(settings: Settings = {}): Promise<'ready' | 'died'> {
    const env = { ...this.#env, ...settings };
    const child = spawn(process.execPath, [MAIN, 'serve'], {
      env,
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    lines.on('line', (line) => {
      this.setupToken = /^Setup token: (\S+)$/.exec(line)?.[1] ?? this.setupToken;
    });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error('the server is not ready in time'));
      }, READY_MS_MAX);
      const settle = (result: 'ready' | 'died') => {
        clearTimeout(timer);
        resolve(result);
      };
      child.once('exit', () => settle('died'));
      lines.on('line', (line) => {
        // The setup token, where there is one, comes in the same moment.
        if (line.startsWith('Executors connect to')) setTimeout(() => settle('ready'), 20);
      });
    });
  }

  async mustStart(settings: Settings = {}): Promise<void> {
    if ((await this.start(settings)) === 'died') throw new Error('the server did not start');
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isAlive) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Its exit code, or the signal that ended it. */
  async ended(): Promise<number | NodeJS.Signals> {
    const child = this.#child;
    if (child === null) throw new Error('the server was never started');
    if (this.isAlive) await once(child, 'exit');
    return child.exitCode ?? child.signalCode ?? 0;
  }
}
