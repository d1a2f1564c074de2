import { rmSync } from 'node:fs';
import { type DeadLetter, NOTHING_DONE, type RunOutcome } from '../../base/run-report.ts';
import type { ConnectContext } from '../../drivers/driver.ts';
import { deathMessage } from '../../executor/completion-of.ts';
import { EXECUTOR_PROCESS_LIMITS } from '../../executor/executor-limits.ts';
import { defaultSpoolDir, openSpoolFolder } from '../../executor/log/spool-folder.ts';
import type { RunnerChild } from '../../executor/runner/runner-child.ts';
import type { Ask, Report } from '../../executor/runner/runner-messages.ts';
import type { RunSpec } from '../../protocol/control-plane.ts';
import type { LocalState } from './local-state.ts';

const LOG_LINE_BYTES_MAX = 16_384;
/** Time for a run to end by itself after it was asked to; then its process is killed. */
const CANCEL_GRACE_MS = 10_000;

export interface LocalRun {
  /** One that no other run has: a load that has it already is not made again. */
  readonly runId: number;
  readonly spec: RunSpec;
  readonly connectContext: ConnectContext;
  /** The task, or one that it runs, may have queries, which may need disk. */
  readonly hasQueries: boolean;
}

export interface LocalRunPorts {
  readonly state: LocalState;
  report(report: Report): void;
  deadLetters(items: readonly DeadLetter[]): void;
}

/**
 * Runs a task in a runner: the same child process, with the same limits, in which an executor runs it. Whatever an expression or a
 * connector does, this process can still show how far the run is and end it. The first abort of `cancel` asks the run to end, that
 * of `kill` ends its process.
 */
export async function runLocally(
  runner: RunnerChild,
  run: LocalRun,
  ports: LocalRunPorts,
  signals: { readonly cancel: AbortSignal; readonly kill: AbortSignal },
): Promise<RunOutcome> {
  let late: NodeJS.Timeout | undefined;
  const cancel = () => {
    runner.cancel();
    late ??= setTimeout(() => runner.kill(), CANCEL_GRACE_MS);
  };
  const kill = () => runner.kill();
  signals.cancel.addEventListener('abort', cancel, { once: true });
  signals.kill.addEventListener('abort', kill, { once: true });
  const { runId, spec, connectContext } = run;
  // What a process that was killed has left there goes with the next one.
  const spillFolder = run.hasQueries ? openSpoolFolder(defaultSpoolDir(), String(runId)) : null;
  const logLineBytesMax = LOG_LINE_BYTES_MAX;
  const job = { runId, attempt: 1, spec, connectContext, logLineBytesMax, spillFolder };
  try {
    return await new Promise<RunOutcome>((resolve) => {
      // No server holds a lease on this run: it lasts as long as the run does.
      runner.run(job, Number.POSITIVE_INFINITY, {
        planned: () => undefined,
        report: (report) => ports.report(report),
        ask: async (ask) => answer(ask, ports),
        ended: resolve,
        died: (death) =>
          resolve(diedOutcome(signals.cancel.aborted ? null : deathMessage(death, EXECUTOR_PROCESS_LIMITS))),
      });
    });
  } finally {
    clearTimeout(late);
    signals.cancel.removeEventListener('abort', cancel);
    signals.kill.removeEventListener('abort', kill);
    await runner.stop();
    if (spillFolder !== null) rmSync(spillFolder, { recursive: true, force: true });
  }
}

function answer(ask: Ask, { state, deadLetters }: LocalRunPorts) {
  try {
    switch (ask.kind) {
      case 'dead_letters':
        deadLetters(ask.items);
        return { ok: true, value: null } as const;
      case 'checkpoint':
        return { ok: true, value: state.read(ask.name) } as const;
      case 'save_checkpoint':
        return { ok: true, value: state.save(ask.name, ask.value, ask.expectedVersion) } as const;
      case 'replay_rows':
      case 'parts':
        throw new Error('a local run has no replays and does not share its parts');
      default:
        return ask satisfies never;
    }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) } as const;
  }
}

/** `message` null: it was killed because it did not end when it was asked to. */
function diedOutcome(message: string | null): RunOutcome {
  const failure = message === null ? null : { code: 'RUNNER_DIED', message, step_id: '' };
  return {
    ...NOTHING_DONE,
    status: message === null ? 'cancelled' : 'error',
    reason: message === null ? 'forced' : 'task_error',
    failure,
  };
}
