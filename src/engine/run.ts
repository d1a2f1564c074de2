import type { PartsAnswer, PartsAsk } from '../base/run-parts.ts';
import type { DeadLetter, LogLevel, Metric, ReplayRow, RunReplay, StepProgress } from '../base/run-report.ts';
import type { ParsedTask } from '../language/task/parse-task.ts';

/** All that a run needs to know; the executor makes it from the contract's `RunSpec`, a preview makes its own. */
export interface RunInput {
  readonly parsed: ParsedTask;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  /** Local connector name to type and configuration (secrets resolved). */
  readonly connectors: Readonly<
    Record<
      string,
      {
        /** Of a saved connector: its calls are reported. */
        readonly id?: number;
        readonly name: string;
        readonly type: string;
        readonly config: unknown;
      }
    >
  >;
  /**
   * `run` in expressions; `id` and `attempt` are always there. `first_id`: of the failed runs that this one reruns the first, whose
   * loads it continues; default `id`.
   */
  readonly run: Readonly<Record<string, unknown>> & {
    readonly id: number;
    readonly attempt: number;
    readonly first_id?: number;
  };
  /** 0 for none beyond the task's own. */
  readonly timeoutMs: number;
  /** Absent or null: the run of the whole task. In a replay cursors are left alone. */
  readonly replay?: RunReplay | null;
  /** The tasks that `run_task` steps name, and those that these run in turn. Default: none. */
  readonly tasks?: Readonly<Record<string, ParsedTask>>;
}

/** What the engine tells and asks while it runs. Calls return quickly; those with a promise give back-pressure. */
export interface RunPorts {
  log(level: LogLevel, stepId: string, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Called at most every 250 ms while rows move, and once at the end of each step. */
  progress(progress: StepProgress): void;
  metric(metric: Metric): void;
  /** Resolves when the items are durable. */
  deadLetters(items: readonly DeadLetter[]): Promise<void>;
  /** The saved cursors of this task in this job. */
  checkpoint(name: string): Promise<{ readonly value: unknown; readonly version: number }>;
  saveCheckpoint(
    name: string,
    value: unknown,
    expectedVersion: number,
  ): Promise<{ readonly version: number; readonly stored: boolean }>;
  /** Rows of a replay after the letter `after` (0 for the first), in the order of their letters; empty at the end. */
  replayRows(after: number): Promise<readonly ReplayRow[]>;
  /** Absent where nobody keeps the parts of a run. One question at a time. */
  parts?(ask: PartsAsk): Promise<PartsAnswer>;
}
