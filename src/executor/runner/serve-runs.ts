/**
 * A runner: a child process of the executor that runs one run at a time. Everything that users write is evaluated here, and
 * every connector is opened here, so that whatever goes wrong costs one run. It speaks to the executor over the IPC channel
 * of `child_process.fork`, and ends with it; its watchdog thread listens to a pipe besides.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { giveBackMemoryWhenIdle } from '../../base/idle-memory.ts';
import { saveCompiledCode } from '../../base/process/compile-cache.ts';
import { entryFile } from '../../base/program-files.ts';
import type { RunOutcome } from '../../base/run-report.ts';
import { createRedactor, type Redactor } from '../../base/text/redactor.ts';
import type { DriverFile } from '../../drivers/custom/driver-file.ts';
import type { Drivers } from '../../drivers/registry.ts';
import { runJob } from './run-job.ts';
import { createRunPorts, type RunSink, redactedOutcome } from './run-ports.ts';
import type { Ask, AskAnswer, FromRunner, RunnerJob, ToRunner, WatchdogData } from './runner-messages.ts';
import { RunnerReporter } from './runner-reporter.ts';

const ALIVE_MS = 5_000;
/** A runner that was started for a run has ended it by then, or has loaded what it needs. */
const UNUSED_MS = 3_000;
/** A run that ends sooner makes too few objects for `keepingHeapLean` to matter. */
const LEAN_AFTER_MS = 1_000;
/** By how much the live objects of the last full collection may grow until the next one, in percent; 0 leaves it to V8. */
const LEAN_GROWTH_PERCENT = 50;
/** A runner whose heap is fuller than this after a run is not used again. */
const HEAP_RATIO_MAX = 0.5;

/** The run that this process has now. */
class Current {
  readonly reporter = new RunnerReporter((report) => send({ type: 'report', report }));
  readonly cancel = new AbortController();
  readonly #asks = new Map<number, (answer: AskAnswer) => void>();
  #asked = 0;

  ask(ask: Ask): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#asked += 1;
      this.#asks.set(this.#asked, (answer) =>
        answer.ok ? resolve(answer.value) : reject(new Error(answer.message)),
      );
      send({ type: 'ask', id: this.#asked, ask });
    });
  }

  reply(id: number, answer: AskAnswer): void {
    this.#asks.get(id)?.(answer);
    this.#asks.delete(id);
  }
}

function send(message: FromRunner): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** Past the end of its lease the run belongs to another executor, whatever this process is busy with. */
function startWatchdog(workerData: WatchdogData): void {
  new Worker(entryFile('src/executor/runner/runner-watchdog'), {
    resourceLimits: { maxOldGenerationSizeMb: 16 },
    workerData,
  }).unref();
}

function isReusable(outcome: RunOutcome): boolean {
  if (outcome.status === 'cancelled' || outcome.reason === 'timeout') return false;
  const heap = getHeapStatistics();
  return heap.used_heap_size < heap.heap_size_limit * HEAP_RATIO_MAX;
}

/**
 * Rows are short-lived: left to itself, V8 lets several times as many dead ones lie about as live ones. Measured with a sheet of a
 * million rows: a peak of 159 instead of 209 MB. Only while a run lasts: under a flag that code was not compiled with, V8 takes none that
 * was kept, of Node's own modules neither, which costs a start 40 ms.
 */
async function keepingHeapLean<T>(work: () => Promise<T>): Promise<T> {
  const allowGrowth = (percent: number) => setFlagsFromString(`--heap-growing-percent=${percent}`);
  const late = setTimeout(allowGrowth, LEAN_AFTER_MS, LEAN_GROWTH_PERCENT);
  try {
    return await work();
  } finally {
    clearTimeout(late);
    allowGrowth(0);
  }
}

/** What the connectors of a run need, when it needs it: a runner that waits is small. */
async function driversOf(
  connectorTypes: readonly string[],
  files: readonly DriverFile[] = [],
): Promise<Drivers> {
  const { loadDrivers } = await import('../../drivers/registry.ts');
  const drivers = await loadDrivers(connectorTypes, files);
  await Promise.all(drivers.types().map((driver) => driver.preload?.()));
  return drivers;
}

/** Ahead of need; what cannot be loaded is reported by the run that needs it. */
async function preload(connectorTypes: readonly string[]): Promise<void> {
  await driversOf(connectorTypes).catch(() => undefined);
}

async function prepared(prepare: Prepare | null, request: unknown): Promise<AskAnswer> {
  try {
    return { ok: true, value: await prepare?.(request) };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}

/** Runs one job and sends its outcome; `onIdle` is called just before, when the next run may come. */
async function run(job: RunnerJob, current: Current, redactor: Redactor, onIdle: () => void): Promise<void> {
  const { reporter } = current;
  const sink: RunSink = {
    log: (line) => reporter.log(line),
    progress: (progress) => reporter.progress(progress),
    metric: (metric) => reporter.metric(metric),
    ask: (ask) => current.ask(ask),
  };
  const { spec, logLineBytesMax } = job;
  const types = Object.values(spec.connectors).map(({ type }) => type);
  const drivers = await driversOf(types, job.connectContext.drivers);
  const ports = createRunPorts(sink, {
    clock: systemClock,
    logLineBytesMax,
    redactor,
    keepsParts: spec.keeps_parts,
  });
  const { signal } = current.cancel;
  const planned = (timeoutMs: number) => send({ type: 'planned', timeoutMs });
  const context = { ports, drivers, clock: systemClock, random: Math.random, signal, planned };
  const outcome = await keepingHeapLean(() => runJob(job, context));
  await reporter.drained();
  onIdle();
  send({ type: 'ended', outcome: redactedOutcome(outcome, redactor), reusable: isReusable(outcome) });
  // Not sooner: a module is written once, with those of its functions that have been called.
  saveCompiledCode();
}

/** Reads what a run is made of; the answer of what it throws is its message. */
export type Prepare = (request: unknown) => Promise<unknown>;

/** The whole work of a runner's process. `prepare` null: its runs come complete, and it is asked to prepare none. */
export function serveRuns(prepare: Prepare | null): void {
  let isWatched = false;
  let current: Current | null = null;
  // One that waits cannot be kept from hearing that its executor is gone.
  const watch = (processMbMax: number) => {
    if (!isWatched) startWatchdog({ processMbMax });
    isWatched = true;
  };

  process.on('message', (message: ToRunner) => {
    switch (message.type) {
      case 'preload':
        void preload(message.connectorTypes);
        break;
      case 'prepare':
        watch(message.processMbMax);
        void prepared(prepare, message.request).then((answer) => send({ type: 'prepared', answer }));
        break;
      case 'run': {
        const { job, processMbMax } = message;
        watch(processMbMax);
        current = new Current();
        const redactor = createRedactor(job.spec.secrets);
        const onIdle = () => {
          current = null;
        };
        run(job, current, redactor, onIdle).catch((error: unknown) => {
          // A fault of the engine itself: what this process holds is in doubt, so it ends, and says why.
          process.stderr.write(`${redactor.text(messageOf(error))}\n`);
          process.exit(1);
        });
        break;
      }
      case 'cancel':
        current?.cancel.abort();
        break;
      case 'ack':
        current?.reporter.acknowledged();
        break;
      case 'reply':
        current?.reply(message.id, message.answer);
        break;
      default:
        message satisfies never;
    }
  });
  process.once('disconnect', () => process.exit(0));
  // Both reach a whole process group; the executor decides when its runners end.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => undefined);
  setInterval(() => send({ type: 'alive' }), ALIVE_MS).unref();
  send({ type: 'ready' });
  // One that is never used is killed with its executor, and keeps nothing then.
  setTimeout(saveCompiledCode, UNUSED_MS).unref();
  giveBackMemoryWhenIdle();
}
