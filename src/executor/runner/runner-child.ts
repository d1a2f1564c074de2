import type { ChildProcess } from 'node:child_process';
import { dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { endWithin, forkEntry, lastWords } from '../../base/process/child-process.ts';
import type { RunOutcome } from '../../base/run-report.ts';
import {
  type Ask,
  type AskAnswer,
  type FromRunner,
  LIFELINE_FD,
  type Report,
  type RunnerJob,
  type ToRunner,
} from './runner-messages.ts';

export interface RunnerChildOptions {
  /** The runner's entry file. */
  readonly entry: string;
  /** Its working directory; by default the folder of its entry. */
  readonly cwd?: string;
  readonly heapMbMax: number;
  /** A runner whose resident memory exceeds it while it has a run is killed. */
  readonly processMbMax: number;
  /** A runner that is silent for this long while it has a run is killed. */
  readonly silenceMsMax: number;
}

/** What became of a runner that ended before its run did. */
export interface RunnerDeath {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its heap was full. */
  readonly outOfMemory: boolean;
  /** Its process was over its limit of memory. */
  readonly overMemory: boolean;
  readonly hung: boolean;
  /** The end of what it wrote to standard error; for the log of the process alone, since it may hold anything. */
  readonly said: string;
}

/** What a run tells through its runner. Exactly one of `ended` and `died` is called, last. */
export interface RunnerPorts {
  planned(timeoutMs: number): void;
  report(report: Report): void;
  ask(ask: Ask): Promise<AskAnswer>;
  ended(outcome: RunOutcome): void;
  died(death: RunnerDeath): void;
}

/**
 * Rows are short-lived: left to itself, V8 lets several times as many dead ones lie about as live ones (`keepingHeapLean`). A young
 * generation that starts with its whole size saves a start 20 ms of collections, and takes nothing of an idle runner's memory.
 */
const YOUNG_GENERATION = ['--min-semi-space-size=16', '--max-semi-space-size=16'];
/** What an ended process has sent is read within this time. */
const LAST_WORDS_MS = 1_000;
const OUT_OF_MEMORY = /heap out of memory|heap limit|Allocation failed|OutOfMemory/i;

/**
 * One runner process, from the executor's side. Idle: it waits for a run. Busy: it has one, until `ended` or `died`. Gone: its
 * process has ended.
 */
export class RunnerChild {
  readonly #options: RunnerChildOptions;
  readonly #child: ChildProcess;
  readonly #lifeline: Duplex;
  readonly #said: () => string;
  readonly #gone = Promise.withResolvers<void>();
  #prepared: PromiseWithResolvers<unknown> | null = null;
  #ports: RunnerPorts | null = null;
  #silence: NodeJS.Timeout | undefined;
  #hung = false;
  #overMemory = false;
  #isGone = false;
  #reusable = true;
  #runs = 0;

  constructor(options: RunnerChildOptions) {
    this.#options = options;
    this.#child = forkEntry(options.entry, {
      // The folder that the executor was started in may be gone, and a process without one does not start.
      cwd: options.cwd ?? dirname(options.entry),
      execArgv: [`--max-old-space-size=${options.heapMbMax}`, ...YOUNG_GENERATION],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    });
    this.#lifeline = this.#child.stdio[LIFELINE_FD] as Duplex;
    // It breaks when the process ends, which `exit` tells.
    this.#lifeline.on('error', () => undefined);
    this.#lifeline.on('data', () => {
      this.#overMemory = true;
      this.kill();
    });
    this.#said = lastWords(this.#child);
    this.#child.on('message', (message: FromRunner) => this.#onMessage(message));
    const closed = new Promise<void>((resolve) => this.#child.once('disconnect', () => resolve()));
    this.#child.once('error', () => this.#onGone(null, null));
    this.#child.once('exit', (code, signal) => {
      // Messages may still be in the channel; they come before its end does.
      const late = setTimeout(() => this.#onGone(code, signal), LAST_WORDS_MS);
      void closed.then(() => {
        clearTimeout(late);
        this.#onGone(code, signal);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Runs that it was given. */
  get runs(): number {
    return this.#runs;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether it may be given another run, as far as it knows. */
  get reusable(): boolean {
    return this.#reusable && !this.#isGone;
  }

  /** Resolves when the process is gone. */
  get gone(): Promise<void> {
    return this.#gone.promise;
  }

  /** Makes an idle runner load these connector types, and what all of them need. */
  preload(connectorTypes: readonly string[]): void {
    this.#send({ type: 'preload', connectorTypes });
  }

  /**
   * Has an idle runner read what its next run is made of, where its entry can. Rejects with what it throws, and where its process ends
   * before it has answered.
   */
  prepare(request: unknown): Promise<unknown> {
    const prepared = Promise.withResolvers<unknown>();
    this.#prepared = prepared;
    void this.gone.then(() => prepared.reject(new Error(`The process ended: ${this.#said() || 'killed'}`)));
    this.#send({ type: 'prepare', request, processMbMax: this.#options.processMbMax });
    return prepared.promise;
  }

  /** The runner ends itself past `leaseUntilMs` (see `monotonicMs`), unless that is renewed. */
  run(job: RunnerJob, leaseUntilMs: number, ports: RunnerPorts): void {
    this.#ports = ports;
    this.#runs += 1;
    this.#heard();
    this.renew(leaseUntilMs);
    if (this.#isGone) this.#onDeath(null, null);
    else this.#send({ type: 'run', job, processMbMax: this.#options.processMbMax });
  }

  /** Asks the run to end; it then ends `cancelled`. */
  cancel(): void {
    this.#send({ type: 'cancel' });
  }

  renew(leaseUntilMs: number): void {
    if (!this.#lifeline.writable) return;
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(leaseUntilMs);
    this.#lifeline.write(bytes);
  }

  /** Ends the process at once, with whatever it does. */
  kill(): void {
    this.#reusable = false;
    this.#child.kill('SIGKILL');
  }

  /** Ends an idle runner. */
  async stop(): Promise<void> {
    this.#reusable = false;
    const ask = () => this.#child.connected && this.#child.disconnect();
    await endWithin(LAST_WORDS_MS, { gone: this.gone, ask, kill: () => this.kill() });
  }

  #send(message: ToRunner): void {
    // A failed send means that the process is ending, which `exit` tells.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #onMessage(message: FromRunner): void {
    this.#heard();
    if (message.type === 'prepared') {
      const { answer } = message;
      if (answer.ok) this.#prepared?.resolve(answer.value);
      else this.#prepared?.reject(new Error(answer.message));
      return;
    }
    const ports = this.#ports;
    if (ports === null) return;
    switch (message.type) {
      case 'ready':
      case 'alive':
        break;
      case 'planned':
        ports.planned(message.timeoutMs);
        break;
      case 'report':
        ports.report(message.report);
        this.#send({ type: 'ack' });
        break;
      case 'ask': {
        const { id } = message;
        void ports.ask(message.ask).then((answer) => this.#send({ type: 'reply', id, answer }));
        break;
      }
      case 'ended':
        this.#reusable &&= message.reusable;
        this.#idle();
        this.renew(Number.POSITIVE_INFINITY);
        ports.ended(message.outcome);
        break;
      default:
        message satisfies never;
    }
  }

  #heard(): void {
    clearTimeout(this.#silence);
    if (this.#ports === null) return;
    this.#silence = setTimeout(() => {
      this.#hung = true;
      this.kill();
    }, this.#options.silenceMsMax);
  }

  #idle(): void {
    this.#ports = null;
    clearTimeout(this.#silence);
  }

  #onGone(code: number | null, signal: string | null): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#gone.resolve();
    this.#onDeath(code, signal);
  }

  #onDeath(code: number | null, signal: string | null): void {
    const ports = this.#ports;
    this.#idle();
    const said = this.#said();
    const outOfMemory = OUT_OF_MEMORY.test(said);
    ports?.died({ code, signal, outOfMemory, overMemory: this.#overMemory, hung: this.#hung, said });
  }
}
