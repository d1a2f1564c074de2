import { entryFile } from '../../base/program-files.ts';
import type { ExecutorProcessLimits } from '../executor-limits.ts';
import { RunnerChild } from './runner-child.ts';

export type RunnerPoolOptions = Pick<
  ExecutorProcessLimits,
  'runnerHeapMbMax' | 'runnerProcessMbMax' | 'runnerRunsMax' | 'runnerIdleMsMax' | 'runnerSilenceMsMax'
>;

interface Idle {
  readonly runner: RunnerChild;
  readonly since: number;
}

/** A runner that died sooner than this is not replaced ahead of need: something is wrong with the machine. */
const YOUNG_MS = 5_000;

/**
 * Runner processes. One idle runner is kept warm, so that a run does not wait for a process to start; others stay for a
 * while after their run, as long as they may be used again.
 */
export class RunnerPool {
  readonly #options: RunnerPoolOptions;
  readonly #all = new Set<RunnerChild>();
  readonly #idleTimer: NodeJS.Timeout;
  #idle: Idle[] = [];
  /** Of the last run. */
  #connectorTypes: readonly string[] = [];
  #stopped = false;

  constructor(options: RunnerPoolOptions) {
    this.#options = options;
    this.#idleTimer = setInterval(() => this.#endIdle(), options.runnerIdleMsMax);
    this.#idleTimer.unref();
  }

  /** Starts the warm runner. */
  warm(): void {
    if (this.#stopped || this.#idle.length > 0) return;
    const runner = this.#start();
    // Nothing before the first run: a runner that waits for one is small.
    if (this.#connectorTypes.length > 0) runner.preload(this.#connectorTypes);
    this.#idle.push({ runner, since: performance.now() });
  }

  /** A runner for one run with connectors of these types; give it back with `release`. The next run is likely to be alike. */
  acquire(connectorTypes: readonly string[]): RunnerChild {
    this.#connectorTypes = connectorTypes;
    // The newest: those that were idle for longer may then end.
    const runner = this.#idle.pop()?.runner ?? this.#start();
    setImmediate(() => this.warm());
    return runner;
  }

  release(runner: RunnerChild): void {
    if (runner.isGone) return;
    const again = runner.reusable && runner.runs < this.#options.runnerRunsMax && !this.#stopped;
    if (again) this.#idle.push({ runner, since: performance.now() });
    else void runner.stop();
  }

  /** Kills every runner; resolves when all processes are gone. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#idleTimer);
    this.#idle = [];
    const runners = [...this.#all];
    for (const runner of runners) runner.kill();
    await Promise.all(runners.map((runner) => runner.gone));
  }

  stats(): { readonly pid: number | undefined; readonly idle: boolean; readonly runs: number }[] {
    const idle = new Set(this.#idle.map(({ runner }) => runner));
    return [...this.#all].map((runner) => ({ pid: runner.pid, idle: idle.has(runner), runs: runner.runs }));
  }

  #start(): RunnerChild {
    const { runnerHeapMbMax, runnerProcessMbMax, runnerSilenceMsMax } = this.#options;
    const runner = new RunnerChild({
      entry: runnerEntry(),
      heapMbMax: runnerHeapMbMax,
      processMbMax: runnerProcessMbMax,
      silenceMsMax: runnerSilenceMsMax,
    });
    const startedAt = performance.now();
    this.#all.add(runner);
    void runner.gone.then(() => {
      this.#all.delete(runner);
      this.#idle = this.#idle.filter((idle) => idle.runner !== runner);
      if (performance.now() - startedAt >= YOUNG_MS) this.warm();
    });
    return runner;
  }

  /** Ends what was idle for long, but for the newest, which stays warm. */
  #endIdle(): void {
    const before = performance.now() - this.#options.runnerIdleMsMax;
    const newest = this.#idle.at(-1);
    const old = this.#idle.filter((idle) => idle !== newest && idle.since <= before);
    this.#idle = this.#idle.filter((idle) => !old.includes(idle));
    for (const { runner } of old) void runner.stop();
  }
}

export function runnerEntry(): string {
  return entryFile('src/executor/runner/runner-entry');
}
