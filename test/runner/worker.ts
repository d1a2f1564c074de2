import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { FromWorker, ToWorker } from './messages.ts';

/** A process whose event loop stands still for so long runs a file that will never end. */
const SILENT_MS_MAX = 300_000;
const MAIN = join(import.meta.dirname, 'worker-main.ts');

/** How a file ended: what became of its tests is in the output. */
export type FileEnd =
  | { readonly kind: 'done'; readonly wallMs: number; readonly cpuMs: number }
  /** The process ended in the middle of it. */
  | { readonly kind: 'broken'; readonly reason: string };

export interface WorkerOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly fixtures: string;
  /** Takes the process's TAP. */
  readonly onOutput: (text: string) => void;
  readonly onError: (text: string) => void;
}

/** A process that runs test files one after another. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #end: (end: FileEnd) => void = () => undefined;
  #isReady: Promise<void>;
  #isUsable = true;
  #reason: string | null = null;
  #watchdog: NodeJS.Timeout | undefined;

  constructor({ env, fixtures, onOutput, onError }: WorkerOptions) {
    const child = fork(MAIN, [fixtures], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', onOutput);
    child.stderr?.setEncoding('utf8').on('data', onError);
    this.#isReady = new Promise((resolve) => {
      child.on('message', (message: FromWorker) => {
        this.#watch();
        if (message.kind === 'ready') resolve();
        if (message.kind === 'done') this.#done(message);
      });
      child.once('exit', () => resolve());
    });
    child.once('exit', (code, signal) => {
      this.#isUsable = false;
      clearTimeout(this.#watchdog);
      this.#end({ kind: 'broken', reason: this.#reason ?? `its process ended with ${signal ?? code}` });
    });
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
    this.#watch();
  }

  /** Whether it takes another file. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  async run(file: string): Promise<FileEnd> {
    await this.#isReady;
    const startedAt = performance.now();
    const ended = new Promise<FileEnd>((resolve) => {
      this.#end = (end) =>
        resolve(end.kind === 'done' ? { ...end, wallMs: performance.now() - startedAt } : end);
    });
    if (!this.#isUsable) return { kind: 'broken', reason: this.#reason ?? 'its process did not start' };
    this.#send({ kind: 'run', file });
    return ended;
  }

  /** Resolves when the process has ended and all that it said was taken. */
  async close(): Promise<void> {
    if (this.#isUsable) this.#send({ kind: 'end' });
    this.#isUsable = false;
    await this.#closed;
  }

  #send(message: ToWorker): void {
    this.#child.send(message, () => undefined);
  }

  #done({ cpuMs, isLast }: Extract<FromWorker, { kind: 'done' }>): void {
    if (isLast) this.#isUsable = false;
    this.#end({ kind: 'done', wallMs: 0, cpuMs });
  }

  #watch(): void {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => {
      this.#reason = `it held its process for ${SILENT_MS_MAX / 1_000} s`;
      this.#child.kill('SIGKILL');
    }, SILENT_MS_MAX);
  }
}
