/**
 * A runner: a child process of the executor that runs one run at a time. Everything that users write is evaluated here, and
 * every connector is opened here, so that whatever goes wrong costs one run. It speaks to the executor over the IPC channel
 * of `child_process.fork`, and ends with it; its watchdog thread listens to a pipe besides.
 */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../base/clock.ts';
import { saveCompiledCode } from '../../base/compile-cache.ts';
import { messageOf } from '../../base/errors.ts';
import { giveBackMemoryWhenIdle } from '../../base/idle-memory.ts';
import { entryFile } from '../../base/program-files.ts';
import type { RunOutcome } from '../../base/run-report.ts';
import { createRedactor, type Redactor } from '../../base/text/redactor.ts';
import type { Drivers } from '../../drivers/registry.ts';
import type { RunPorts } from '../../engine/run.ts';
import { redactedOutcome, redactedPorts } from './redact-run.ts';
import { runJob } from './run-job.ts';
import type { Ask, AskAnswer, FromRunner, RunnerJob, ToRunner } from './runner-messages.ts';
import { RunnerReporter } from './runner-reporter.ts';

const ALIVE_MS = 5_000;
/** A runner whose heap is fuller than this after a run is not used again. */
const HEAP_RATIO_MAX = 0.5;

interface Current {
  readonly reporter: RunnerReporter;
  readonly cancel: AbortController;
  readonly asks: Map<number, (answer: AskAnswer) => void>;
}

function send(message: FromRunner): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

function portsOf(current: Current, ask: (ask: Ask) => Promise<unknown>): RunPorts {
  const { reporter } = current;
  return {
    log: (level, stepId, message, fields) =>
      reporter.log({ at: systemClock.now(), level, step_id: stepId, message, fields: fields ?? null }),
    progress: (progress) => reporter.progress(progress),
    metric: (metric) => reporter.metric(metric),
    deadLetters: async (items) => {
      await ask({ kind: 'dead_letters', items });
    },
    replayRows: (after) =>
      ask({ kind: 'replay_rows', after }) as Promise<Awaited<ReturnType<RunPorts['replayRows']>>>,
    checkpoint: (name) =>
      ask({ kind: 'checkpoint', name }) as Promise<Awaited<ReturnType<RunPorts['checkpoint']>>>,
    saveCheckpoint: (name, value, expectedVersion) =>
      ask({ kind: 'save_checkpoint', name, value, expectedVersion }) as Promise<
        Awaited<ReturnType<RunPorts['saveCheckpoint']>>
      >,
  };
}

/** Past the end of its lease the run belongs to another executor, whatever this process is busy with. */
function startWatchdog(): void {
  new Worker(entryFile('src/executor/runner/runner-watchdog'), {
    resourceLimits: { maxOldGenerationSizeMb: 16 },
  }).unref();
}

function isReusable(outcome: RunOutcome): boolean {
  if (outcome.status === 'cancelled' || outcome.reason === 'timeout') return false;
  const heap = getHeapStatistics();
  return heap.used_heap_size < heap.heap_size_limit * HEAP_RATIO_MAX;
}

/** What the connectors of a run need, when it needs it: a runner that waits is small. */
async function driversOf(connectorTypes: readonly string[]): Promise<Drivers> {
  const { loadDrivers } = await import('../../drivers/registry.ts');
  const drivers = await loadDrivers(connectorTypes);
  await Promise.all(drivers.types().map((driver) => driver.preload?.()));
  return drivers;
}

/** Ahead of need; what cannot be loaded is told by the run that needs it. */
async function preload(connectorTypes: readonly string[]): Promise<void> {
  await driversOf(connectorTypes).catch(() => undefined);
  saveCompiledCode();
}

function serveRuns(): void {
  let isWatched = false;
  let current: Current | null = null;
  let asked = 0;

  const run = async (job: RunnerJob, running: Current, redactor: Redactor) => {
    const ask = (what: Ask) =>
      new Promise<unknown>((resolve, reject) => {
        asked += 1;
        running.asks.set(asked, (answer) =>
          answer.ok ? resolve(answer.value) : reject(new Error(answer.message)),
        );
        send({ type: 'ask', id: asked, ask: what });
      });
    const types = Object.values(job.spec.connectors).map(({ type }) => type);
    const outcome = await runJob(job, {
      ports: redactedPorts(portsOf(running, ask), redactor),
      drivers: await driversOf(types),
      clock: systemClock,
      random: Math.random,
      signal: running.cancel.signal,
      planned: (timeoutMs) => send({ type: 'planned', timeoutMs }),
    });
    await running.reporter.drained();
    current = null;
    send({ type: 'ended', outcome: redactedOutcome(outcome, redactor), reusable: isReusable(outcome) });
  };

  process.on('message', (message: ToRunner) => {
    switch (message.type) {
      case 'preload':
        void preload(message.connectorTypes);
        break;
      case 'run': {
        // One that waits cannot be kept from hearing that its executor is gone.
        if (!isWatched) startWatchdog();
        isWatched = true;
        const { job } = message;
        const reporter = new RunnerReporter(
          (report) => send({ type: 'report', report }),
          job.logLineBytesMax,
        );
        current = { reporter, cancel: new AbortController(), asks: new Map() };
        const redactor = createRedactor(job.spec.secrets);
        run(job, current, redactor).catch((error: unknown) => {
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
        current?.asks.get(message.id)?.(message.answer);
        current?.asks.delete(message.id);
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
  saveCompiledCode();
  giveBackMemoryWhenIdle();
}

serveRuns();
