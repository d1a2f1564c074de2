import type { DeadLetter, LogLevel, RunFailure, StepResult } from './report/report.ts';

/** All that a run needs to know; the executor makes it from the contract's `RunSpec`, a preview makes its own. */
export interface RunInput {
  /** The task's YAML, not yet parsed. */
  readonly yaml: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly jobConfig: Readonly<Record<string, unknown>>;
  /** Local connector name to type and configuration (secrets resolved). */
  readonly connectors: Readonly<
    Record<string, { readonly name: string; readonly type: string; readonly config: unknown }>
  >;
  /** `run` in expressions; `id` and `attempt` are always there. */
  readonly run: Readonly<Record<string, unknown>> & { readonly id: number; readonly attempt: number };
  /** 0 for none beyond the task's own. */
  readonly timeoutMs: number;
  /** Absent or null: the run of the whole task. */
  readonly replay?: ReplayInput | null;
}

/** The run gives failed rows once more to the step that refused them, and runs what follows it; cursors are left alone. */
export interface ReplayInput {
  readonly stepId: string;
  /** How many rows `RunPorts.replayRows` gives together. */
  readonly letters: number;
}

/** A row as the step is to get it, and the dead letter that it comes from. */
export interface ReplayRow {
  readonly letterId: number;
  readonly item: unknown;
}

/** What the engine tells and asks while it runs. Calls return quickly; those with a promise give back-pressure. */
export interface RunPorts {
  log(level: LogLevel, stepId: string, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Called at most every 250 ms while rows move, and once at the end of each step. */
  progress(progress: StepProgress): void;
  metric(metric: RunMetric): void;
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
}

export interface StepProgress {
  readonly stepId: string;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly rowsFailed: number;
  readonly rowsPerSecond: number;
  /** 0 to 1 where the total is known, else -1. */
  readonly ratio: number;
}

export interface RunMetric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'timing';
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
}

/** How a run ended. The engine never throws for what the run did; it throws only for its own faults. */
export interface RunOutcome {
  readonly status: 'success' | 'warning' | 'error' | 'cancelled';
  /** `item_errors`, `task_error`, `config_error`, `timeout`, `user`, or empty for plain success. */
  readonly reason: string;
  readonly failure: RunFailure | null;
  readonly rowsIn: number;
  readonly rowsOut: number;
  readonly rowsFailed: number;
  readonly rowsSkipped: number;
  readonly steps: readonly StepResult[];
  /** False for what will fail again in the same way: wrong configuration, an expression's error. */
  readonly retryable: boolean;
}
