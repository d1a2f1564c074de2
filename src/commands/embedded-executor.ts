import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../base/compile-cache.ts';
import { randomHex } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { EmbeddedExecutorStart } from './executor-child.ts';

const RESPAWN_MS_MIN = 200;
const RESPAWN_MS_MAX = 5_000;
/** A child that lived so long was well: the next one starts without delay. */
const WELL_AFTER_MS = 10_000;
const STOP_MS_MAX = 8_000;

export interface EmbeddedExecutorOptions extends Omit<EmbeddedExecutorStart, 'instanceId'> {
  readonly logger: Logger;
  /** Gives back at once what an instance held that is surely dead. */
  readonly release: (name: string, instanceId: string) => Promise<void>;
}

/**
 * The executor that `serve` starts beside the control plane: a child process over the same contract as a remote one. Modes:
 * stopped → running ↔ respawning → stopped. It is replaced when it dies.
 */
export class EmbeddedExecutor {
  readonly #options: EmbeddedExecutorOptions;
  #child: ChildProcess | null = null;
  #timer: NodeJS.Timeout | null = null;
  #delayMs = RESPAWN_MS_MIN;
  #stopping = false;

  constructor(options: EmbeddedExecutorOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const { logger, release, ...options } = this.#options;
    const message: EmbeddedExecutorStart = { ...options, instanceId: randomHex(16) };
    const startedAt = performance.now();
    const entry = fileURLToPath(new URL(`./executor-child${import.meta.url.slice(-3)}`, import.meta.url));
    const child = fork(entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // What it needs comes by the channel; this process's environment holds keys.
      env: childEnvironment(),
    });
    this.#child = child;
    child.send(message);
    child.on('error', (error) => logger.error({ err: error }, 'the executor could not be started'));
    child.once('exit', (code, signal) => {
      this.#child = null;
      if (this.#stopping) return;
      if (performance.now() - startedAt > WELL_AFTER_MS) this.#delayMs = RESPAWN_MS_MIN;
      logger.warn({ code, signal, delay_ms: this.#delayMs }, 'the executor died and is started again');
      release(message.name, message.instanceId).catch((error: unknown) => {
        logger.warn({ err: error }, 'the runs of the dead executor wait for their leases to lapse');
      });
      this.#timer = setTimeout(() => this.start(), this.#delayMs);
      this.#delayMs = Math.min(this.#delayMs * 2, RESPAWN_MS_MAX);
    });
  }

  /** Drains it: what runs may end, then it leaves. Killed after 8 s. */
  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(timer);
  }
}
