import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ControlPlaneApp, startControlPlane } from '../../src/app/app.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { type Config, loadConfig } from '../../src/config.ts';
import { NO_RETRY } from '../../src/modules/runs/run.ts';
import { insertRuns } from '../../src/modules/runs/run-store.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import type { PlaneAnswer } from './plane-process.ts';
import type { RunLoadAnswer, RunLoadOrder } from './run-load.ts';

const KEY = 'f3b1c0a95d7e2846f3b1c0a95d7e2846';
const doneMsMax = 60_000;

export interface RunBenchSettings {
  readonly folder: string;
  readonly state: StateSettings;
  readonly planes: number;
  readonly executors: number;
  readonly slots: number;
}

/** Control planes and executors as processes, all over one store, and what the runs benchmarks do with them. */
export class RunBench {
  readonly #settings: RunBenchSettings;
  readonly #planes: ChildProcess[] = [];
  readonly #arrivedAt = new Map<number, number>();
  #load: ChildProcess | null = null;
  #store: Store | null = null;
  #app: ControlPlaneApp | null = null;
  #completed = 0;

  constructor(settings: RunBenchSettings) {
    this.#settings = settings;
  }

  get store(): Store {
    if (this.#store === null) throw new Error('start first');
    return this.#store;
  }

  /** Of the control planes together, in MB. */
  rssMb(): number {
    const pids = this.#app === null ? this.#planes.map((plane) => plane.pid) : [process.pid];
    const kb = pids.map((pid) =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
    );
    return kb.reduce((sum, one) => sum + one, 0) / 1_024;
  }

  async start(): Promise<void> {
    const { state, planes, executors, slots } = this.#settings;
    const addresses: string[] = [];
    // The embedded store has one server, this process: whoever else writes to its file cannot wake it.
    if (state.kind === 'localdb') {
      this.#app = await startControlPlane({
        config: this.#config(state.path),
        clock: systemClock,
        logger: silentLogger,
        version: '0.0.0',
      });
      addresses.push(this.#app.grpcAddress);
      this.#store = this.#app.store;
    } else {
      for (let index = 0; index < planes; index++) addresses.push(await this.#startPlane(index, state.url));
      this.#store = await openStore(state, silentLogger);
    }
    const load = fork(join(import.meta.dirname, 'run-load.ts'));
    this.#load = load;
    const connected = new Promise<void>((resolve, reject) => {
      load.on('exit', (code) => reject(new Error(`The executors ended with ${code}`)));
      load.on('message', (answer: RunLoadAnswer) => {
        if (answer.kind === 'connected') return resolve();
        this.#completed += answer.completed;
        for (const [id, at] of answer.arrived) this.#arrivedAt.set(id, at);
      });
    });
    this.#order({ kind: 'connect', addresses, key: KEY, executors, slots });
    await connected;
  }

  go(): void {
    this.#order({ kind: 'go' });
  }

  /** Runs a second, from when they are in the queue, and everybody told, until all are completed. */
  async throughput(runs: number): Promise<number> {
    const { store } = this;
    const wanted = this.#completed + runs;
    await store.write(async (tx) => {
      await insertRuns(tx, Array.from({ length: runs }, newRun), Date.now());
    });
    const began = performance.now();
    store.notify('work');
    const deadline = began + doneMsMax;
    while (this.#completed < wanted) {
      if (performance.now() > deadline)
        throw new Error(`${wanted - this.#completed} runs were not completed`);
      await sleep(2);
    }
    return (runs / (performance.now() - began)) * 1_000;
  }

  /** Milliseconds from the commit of each run to its assignment at an executor, while `perSecond` runs come. */
  async latencies(runs: number, perSecond: number): Promise<number[]> {
    const { store } = this;
    const insertedAt = new Map<number, number>();
    const began = performance.now();
    for (let index = 0; index < runs; index++) {
      const due = began + (index / perSecond) * 1_000;
      if (due > performance.now()) await sleep(due - performance.now());
      const [row] = await store.write((tx) => insertRuns(tx, [newRun()], Date.now()));
      insertedAt.set(row?.id ?? 0, performance.timeOrigin + performance.now());
      store.notify('work');
    }
    const deadline = performance.now() + doneMsMax;
    const missing = () => [...insertedAt.keys()].some((id) => !this.#arrivedAt.has(id));
    while (missing() && performance.now() < deadline) await sleep(20);
    // The news of a commit may be faster than this process.
    return [...insertedAt].map(([id, at]) => Math.max(0, (this.#arrivedAt.get(id) ?? Number.NaN) - at));
  }

  async stop(): Promise<void> {
    this.#load?.removeAllListeners('exit');
    this.#load?.kill();
    await Promise.all(
      this.#planes.map(
        (plane) =>
          new Promise((resolve) => {
            plane.once('exit', resolve);
            plane.send('stop');
          }),
      ),
    );
    if (this.#app === null) await this.#store?.close();
    else await this.#app.stop();
  }

  #order(order: RunLoadOrder): void {
    this.#load?.send(order);
  }

  #config(path: string): Config {
    const loaded = loadConfig({
      SVC_STATE_PATH: path,
      SVC_METRICS_PATH: join(this.#settings.folder, 'metrics.db'),
      SVC_HTTP_PORT: '0',
      SVC_EXECUTOR_EMBEDDED: 'false',
      SVC_EXECUTOR_KEY: KEY,
    });
    if (!loaded.ok) throw new Error(loaded.problems.map((problem) => problem.message).join('; '));
    return loaded.config;
  }

  async #startPlane(index: number, url: string): Promise<string> {
    const { folder } = this.#settings;
    const plane = fork(join(import.meta.dirname, 'plane-process.ts'), {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        SVC_METRICS_PATH: join(folder, `metrics-${index}.db`),
        SVC_HTTP_PORT: '0',
        SVC_EXECUTOR_EMBEDDED: 'false',
        SVC_EXECUTOR_KEY: KEY,
        SVC_ENCRYPTION_KEY: KEY,
        SVC_STATE_URL: url,
      },
    });
    this.#planes.push(plane);
    return new Promise((resolve, reject) => {
      plane.once('message', (answer: PlaneAnswer) => resolve(answer.grpcAddress));
      plane.once('exit', (code) => reject(new Error(`The control plane ended with ${code}`)));
    });
  }
}

function newRun() {
  const run = {
    task_id: null,
    task_name: 'bench',
    task_version: 1,
    yaml_content: '',
    job_run_id: null,
    job_id: null,
    task_key: null,
    reason: 'manual' as const,
    retry: NO_RETRY,
    args: { values: {}, template: null, when: null },
    config: {},
    connectors: {},
    connectorTypes: [],
    labels: {},
    timeout_ms: 0,
    rerun_of: null,
    scheduled_for: null,
  };
  return { run, status: 'queued' as const };
}
