import type { ChildProcess } from 'node:child_process';
import { randomHex } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { endWithin, forkEntry } from '../../base/process/child-process.ts';
import { entryFile } from '../../base/program-files.ts';
import type { EmbeddedExecutorStart } from './executor-child.ts';

const RESPAWN_MS_MIN = 200;
const RESPAWN_MS_MAX = 5_000;
/** A child that lived this long was healthy: the next one starts without delay. */
const WELL_AFTER_MS = 10_000;
const STOP_MS_MAX = 8_000;

export interface EmbeddedExecutorOptions extends Omit<EmbeddedExecutorStart, 'instanceId'> {
  /** Gives back at once what an instance held that is surely dead. */
  readonly release: (name: string, instanceId: string) => Promise<void>;
}

/**
 * The executor that `serve` starts beside the control plane: a child process over the same contract as a remote one. Modes:
 * stopped → prepared → running ↔ respawning → stopped. It is replaced when it dies.
 */
export class EmbeddedExecutor {
  readonly #logger: Logger;
  #options: EmbeddedExecutorOptions | null = null;
  #child: ChildProcess | null = null;
  #instanceId = '';
  #startedAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #delayMs = RESPAWN_MS_MIN;
  #stopping = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts its process ahead of its work: it loads its code while the control plane starts, and waits. */
  prepare(): void {
    const entry = entryFile('src/commands/serve/executor-child');
    const child = forkEntry(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child = child;
    child.on('error', (error) => this.#logger.error({ err: error }, 'the executor could not be started'));
    child.once('exit', (code, signal) => this.#onExit(code, signal));
  }

  /** Gives it its work, now and whenever it is replaced. */
  start(options: EmbeddedExecutorOptions): void {
    this.#options = options;
    this.#giveWork(options);
  }

  #giveWork({ release: _, ...options }: EmbeddedExecutorOptions): void {
    if (this.#child === null) this.prepare();
    this.#instanceId = randomHex(16);
    this.#startedAt = performance.now();
    const message: EmbeddedExecutorStart = { ...options, instanceId: this.#instanceId };
    this.#child?.send(message);
  }

  #onExit(code: number | null, signal: string | null): void {
    this.#child = null;
    const options = this.#options;
    // One that dies before it had work is replaced when there is some.
    if (this.#stopping || options === null) return;
    if (performance.now() - this.#startedAt > WELL_AFTER_MS) this.#delayMs = RESPAWN_MS_MIN;
    this.#logger.warn({ code, signal, delay_ms: this.#delayMs }, 'the executor died and is being restarted');
    options.release(options.name, this.#instanceId).catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'the runs of the dead executor wait for their leases to expire');
    });
    this.#timer = setTimeout(() => this.#giveWork(options), this.#delayMs);
    this.#delayMs = Math.min(this.#delayMs * 2, RESPAWN_MS_MAX);
  }

  /** Drains it: what runs may end, then it leaves. Killed after 8 s. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await endWithin(STOP_MS_MAX, {
      gone,
      ask: () => child.kill('SIGTERM'),
      kill: () => child.kill('SIGKILL'),
    });
  }
}
