import { type Selectable, sql } from 'kysely';
import type { RunForeach } from '../../base/run-foreach.ts';
import type { RunReplay } from '../../base/run-report.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Schema } from '../../store/schema.ts';
import type { ChildTask } from '../tasks/child-tasks.ts';

/** `tasks_json`: what `tasks_id` refers to. */
export type RunRow = Selectable<Schema['runs']> & { readonly tasks_json: string | null };

export const RUN_STATUSES = [
  'queued',
  'running',
  'cancelling',
  'success',
  'warning',
  'error',
  'cancelled',
  'skipped',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Legal transitions; a status without any is final, and a rerun is a new run. `running → queued` is a retry or a lost lease. */
export const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  queued: ['running', 'cancelled', 'skipped', 'error'],
  running: ['success', 'warning', 'error', 'skipped', 'cancelling', 'cancelled', 'queued'],
  cancelling: ['cancelled', 'success', 'warning', 'error', 'skipped'],
  success: [],
  warning: [],
  error: [],
  cancelled: [],
  skipped: [],
};

export const ACTIVE_STATUSES = RUN_STATUSES.filter((status) => RUN_TRANSITIONS[status].length > 0);
export const LEASED_STATUSES = ['running', 'cancelling'] as const;

/** Of runs and of job runs, word for word as in their partial indexes: SQLite takes one for a condition that it can see, not for bound values. */
export const IS_ACTIVE = sql<boolean>`status in ('queued', 'running', 'cancelling')`;
export const IS_LEASED = sql<boolean>`status in ('running', 'cancelling')`;

export function isActive(status: string): boolean {
  return (ACTIVE_STATUSES as readonly string[]).includes(status);
}

/** Why a run is in its state. */
export const RUN_REASONS = [
  'manual',
  'schedule',
  'backfill',
  'retry',
  'awaiting_slot',
  'awaiting_retry',
  'no_executor',
  'upstream_failed',
  'condition_false',
  'item_errors',
  'task_error',
  'config_error',
  'timeout',
  'executor_lost',
  'user',
  'forced',
  'overlap',
  'parts',
] as const;
export type RunReason = (typeof RUN_REASONS)[number];

export interface RetryRule {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

export const NO_RETRY: RetryRule = {
  maxAttempts: 1,
  delayMs: 5_000,
  factor: 2,
  maxDelayMs: 300_000,
  jitter: 0.2,
};

/** What differs from `NO_RETRY`, as JSON: of most runs nothing. */
export function retryText(rule: RetryRule): string {
  const known: Readonly<Record<string, unknown>> = { ...NO_RETRY };
  return JSON.stringify(
    Object.fromEntries(Object.entries(rule).filter(([key, value]) => value !== known[key])),
  );
}

export function storedRetry({ retry_json }: Pick<RunRow, 'retry_json'>): RetryRule {
  return { ...NO_RETRY, ...(JSON.parse(retry_json) as Partial<RetryRule>) };
}

/** Milliseconds to wait before the attempt after `attempt`; `random` is in [0, 1). */
export function retryDelayMs(rule: RetryRule, attempt: number, random: number): number {
  const plain = Math.min(rule.delayMs * rule.factor ** (attempt - 1), rule.maxDelayMs);
  return Math.round(plain * (1 + rule.jitter * (2 * random - 1)));
}

/** A lost executor is not the task's fault: a run is given to others, even one without retries, but not for ever. */
const LOSSES_MAX = 3;
/** Lost so often, a run may be what its executors die of: it waits, and shares no executor with another such run. */
export const SUSPECT_LOSSES = 2;
const LOSS_DELAY_MS = 10_000;
const LOSS_DELAY_MS_MAX = 300_000;

/** Whether a run whose executor was lost for the `losses`th time is given up. */
export function isGivenUp(run: Pick<RunRow, 'max_attempts'>, losses: number): boolean {
  return losses >= Math.max(run.max_attempts, LOSSES_MAX);
}

/** Milliseconds until a run is claimed again whose executor was lost for the `losses`th time: the first is nobody's fault. */
export function lossDelayMs(losses: number): number {
  if (losses < SUSPECT_LOSSES) return 0;
  return Math.min(LOSS_DELAY_MS * 2 ** (losses - SUSPECT_LOSSES), LOSS_DELAY_MS_MAX);
}

/** What a new run needs; the rest of its row follows from these. */
export interface NewRun {
  readonly task_id: number | null;
  readonly task_name: string;
  readonly task_version: number;
  readonly yaml_content: string;
  /** The texts that its `run_task` steps run. Absent: none. */
  readonly tasks?: readonly ChildTask[] | undefined;
  readonly job_run_id: number | null;
  readonly job_id: number | null;
  readonly task_key: string | null;
  readonly reason: RunReason;
  readonly retry: RetryRule;
  /** `values` are given; `template` and `when` are expressions of the DAG node, evaluated by the executor. */
  readonly args: RunArgs;
  readonly config: Readonly<Record<string, unknown>>;
  /** Local connector name to connector id. */
  readonly connectors: Readonly<Record<string, number>>;
  readonly connectorTypes: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly timeout_ms: number;
  readonly rerun_of: number | null;
  readonly scheduled_for: number | null;
  /** −100 to 100, default 0: claimed before runs of a lower one. */
  readonly priority?: number;
  /** Runs of one key count together against `concurrencyLimit` while they are claimed. */
  readonly concurrencyKey?: string | null;
  readonly concurrencyLimit?: number | null;
  /** A run that has not ended within this time of its creation is cancelled with the reason `timeout`. */
  readonly deadlineMs?: number | null;
  /** Dead letters go once more to this step, and only what follows it runs. */
  readonly replay?: RunReplay | null;
  /** It takes parts of this step of another run. */
  readonly helps?: { readonly run_id: number; readonly step_id: string } | null;
}

export function storedTasks({ tasks_json }: Pick<RunRow, 'tasks_json'>): readonly ChildTask[] {
  return tasks_json === null ? [] : (JSON.parse(tasks_json) as ChildTask[]);
}

export interface RunArgs {
  readonly values: Readonly<Record<string, unknown>>;
  readonly template: unknown;
  readonly when: string | null;
  /** Absent or null: the task runs once. */
  readonly foreach?: RunForeach | null;
}

/** As JSON, without what a run usually has not. */
export function argsText({ values, template, when, foreach = null }: RunArgs): string {
  return JSON.stringify({
    ...(Object.keys(values).length > 0 && { values }),
    ...(template !== null && { template }),
    ...(when !== null && { when }),
    ...(foreach !== null && { foreach }),
  });
}

export function storedArgs({ args_json }: Pick<RunRow, 'args_json'>): RunArgs {
  return { values: {}, template: null, when: null, ...(parseJsonText(args_json) as Partial<RunArgs>) };
}

export interface RunProgress {
  readonly step_id: string;
  readonly rows_in: number;
  readonly rows_out: number;
  readonly rows_failed: number;
  readonly rows_per_second: number;
  /** 0 to 1, or null where the total is not known. */
  readonly ratio: number | null;
}

export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly step: string | null;
}

/** `,csv,sqlite,`: sorted, so that equal needs are equal text and one name can be sought with its commas. */
export function joinTypes(types: Iterable<string>): string {
  const sorted = [...new Set(types)].sort();
  return sorted.length === 0 ? ',' : `,${sorted.join(',')},`;
}

export function splitTypes(text: string): string[] {
  return text.split(',').filter(Boolean);
}

/** What a run replays; null for a run of the whole task. */
export function replayOf({ replay_step, replay_letters }: Pick<RunRow, 'replay_step' | 'replay_letters'>) {
  return replay_step === null ? null : { step_id: replay_step, letters: replay_letters ?? 0 };
}
