import type { PartsAsk } from '../../base/run-parts.ts';
import type { DeadLetter, Metric, RunOutcome, StepProgress } from '../../base/run-report.ts';
import type { ConnectContext } from '../../drivers/driver.ts';
import type { LogLine, RunSpec } from '../../protocol/control-plane.ts';
import type { DroppedLines } from '../log/log-spool.ts';

/** A run as its runner gets it. The lease's token stays with the executor. */
export interface RunnerJob {
  readonly runId: number;
  readonly attempt: number;
  readonly spec: RunSpec;
  readonly connectContext: ConnectContext;
  readonly logLineBytesMax: number;
  /** Where its queries put what memory does not hold: not made yet, and removed when the run is over. null: nowhere. */
  readonly spillFolder: string | null;
}

/** Executor to runner. */
export type ToRunner =
  /** Its next run may well use these connector types. */
  | { readonly type: 'preload'; readonly connectorTypes: readonly string[] }
  /** Read what the next run is made of. */
  | { readonly type: 'prepare'; readonly request: unknown; readonly processMbMax: number }
  | { readonly type: 'run'; readonly job: RunnerJob; readonly processMbMax: number }
  | { readonly type: 'cancel' }
  /** One report has been taken. */
  | { readonly type: 'ack' }
  | { readonly type: 'reply'; readonly id: number; readonly answer: AskAnswer };

/** Runner to executor. `planned`: the task was read; `timeoutMs` is 0 for none. */
export type FromRunner =
  | { readonly type: 'ready' }
  | { readonly type: 'alive' }
  | { readonly type: 'prepared'; readonly answer: AskAnswer }
  | { readonly type: 'planned'; readonly timeoutMs: number }
  | { readonly type: 'report'; readonly report: Report }
  | { readonly type: 'ask'; readonly id: number; readonly ask: Ask }
  | { readonly type: 'ended'; readonly outcome: RunOutcome; readonly reusable: boolean };

/** Everything since the previous report; a runner has few of them unacknowledged. */
export interface Report {
  readonly lines: readonly LogLine[];
  readonly dropped: DroppedLines;
  readonly metrics: readonly Metric[];
  readonly progress: readonly StepProgress[];
}

export type Ask =
  | { readonly kind: 'dead_letters'; readonly items: readonly DeadLetter[] }
  | { readonly kind: 'replay_rows'; readonly after: number }
  | { readonly kind: 'parts'; readonly ask: PartsAsk }
  | { readonly kind: 'checkpoint'; readonly name: string }
  | {
      readonly kind: 'save_checkpoint';
      readonly name: string;
      readonly value: unknown;
      readonly expectedVersion: number;
    };

export type AskAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/**
 * File descriptor of the pipe from the executor to a runner's watchdog. It carries `Float64`s, little-endian: the end of the
 * lease on the clock of `monotonicMs`, infinite while the runner is idle. Whatever the watchdog writes into it means that the
 * process is over its limit of memory.
 */
export const LIFELINE_FD = 4;

/** What a runner's watchdog starts with. */
export interface WatchdogData {
  readonly processMbMax: number;
}

/** Milliseconds of the system's monotonic clock: the same in every process of a machine. */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}
