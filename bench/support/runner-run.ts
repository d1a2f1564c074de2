import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOutcome } from '../../src/base/run-report.ts';
import { EXECUTOR_PROCESS_LIMITS } from '../../src/executor/executor-limits.ts';
import { RunnerChild } from '../../src/executor/runner/runner-child.ts';
import type { Ask, AskAnswer, RunnerJob } from '../../src/executor/runner/runner-messages.ts';
import { runnerEntry } from '../../src/executor/runner/runner-pool.ts';
import type { Pipeline } from './run-pipeline.ts';
import { memoryBelow } from './serve-process.ts';

const lookMs = 50;
const { runnerHeapMbMax, runnerProcessMbMax, runnerSilenceMsMax } = EXECUTOR_PROCESS_LIMITS;

/**
 * Runs a task in a runner of its own, as an executor starts it, and gives its highest resident memory in MB: that of its process, or of it
 * and of the processes that it started together, whichever is more. Throws where it did not move exactly `rows`. `entry`: of the runner's
 * process; by default that of the checkout.
 */
export async function peakMbOfRun(pipeline: Pipeline, entry = runnerEntry()): Promise<number> {
  const runner = new RunnerChild({
    entry,
    heapMbMax: runnerHeapMbMax,
    processMbMax: runnerProcessMbMax,
    silenceMsMax: runnerSilenceMsMax,
  });
  const pid = runner.pid ?? 0;
  let togetherMb = 0;
  let isOver = false;
  const watch = async () => {
    for (; !isOver; await sleep(lookMs))
      togetherMb = Math.max(
        togetherMb,
        memoryBelow(pid).reduce((sum, { rssMb }) => sum + rssMb, 0),
      );
  };
  const watched = watch();
  try {
    const outcome = await outcomeOf(runner, jobOf(pipeline));
    if (outcome.status !== 'success' || outcome.rows_out !== pipeline.rows)
      throw new Error(`${outcome.status}, ${outcome.rows_out} rows: ${outcome.failure?.message ?? ''}`);
    return Math.max(togetherMb, peakMbOf(pid));
  } finally {
    isOver = true;
    await watched;
    runner.kill();
    await runner.gone;
  }
}

/** Of the process itself: `resourceUsage` counts what the process that started it had at that moment. */
function peakMbOf(pid: number): number {
  const peakKb = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peakKb) / 1_024;
}

function outcomeOf(runner: RunnerChild, job: RunnerJob): Promise<RunOutcome> {
  return new Promise((resolve, reject) => {
    runner.run(job, Number.POSITIVE_INFINITY, {
      planned: () => undefined,
      report: () => undefined,
      ask: async (ask) => answerOf(ask),
      ended: resolve,
      died: ({ said, signal }) => reject(new Error(`The runner died (${signal}): ${said}`)),
    });
  });
}

function answerOf(ask: Ask): AskAnswer {
  switch (ask.kind) {
    case 'checkpoint':
      return { ok: true, value: { value: null, version: 0 } };
    case 'save_checkpoint':
      return { ok: true, value: { version: ask.expectedVersion + 1, stored: true } };
    default:
      return { ok: false, message: `"${ask.kind}" was not expected` };
  }
}

function jobOf({ yaml, connectors, fileRoots, plugins, runId }: Pipeline): RunnerJob {
  return {
    runId,
    attempt: 1,
    spec: {
      task_name: 'bench',
      task_version: 1,
      yaml,
      args: {},
      args_template: null,
      when_expr: '',
      job_config: {},
      connectors: Object.fromEntries(
        Object.entries(connectors).map(([key, { name, type, config }], id) => [
          key,
          { id, name, type, config },
        ]),
      ),
      run: {},
      timeout_ms: 0,
      metrics: [],
      secrets: [],
      replay: null,
      tasks: {},
      keeps_parts: false,
      foreach: null,
      help: null,
    },
    connectContext: {
      fileRoots,
      forbiddenFiles: [],
      connectTimeoutMs: 10_000,
      plugins,
      outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8'], ownPorts: [] },
    },
    logLineBytesMax: 65_536,
    spillFolder: null,
  };
}
