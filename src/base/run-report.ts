import type { ConnectorUse } from './connectors/connector-use.ts';

/**
 * What a run reports, in one form: the engine makes it, the executor contract and the store carry it as it is, and the API answers
 * with it. Whoever reads or writes single figures goes by the lists, so that a new figure is added here and where it is counted,
 * and besides only in the proto and in a migration.
 */

/** Levels by name, with the numbers of the wire and of the store, where `level=warn` is a comparison. */
export const LOG_LEVELS = { debug: 1, info: 2, warn: 3, error: 4 } as const;
export type LogLevel = keyof typeof LOG_LEVELS;
export const LOG_LEVEL_NAMES = Object.keys(LOG_LEVELS) as readonly LogLevel[];

export function logLevelName(level: number): LogLevel {
  return LOG_LEVEL_NAMES[level - 1] ?? 'info';
}

/** Rows that each step counts, and that a run sums up; `rows_deleted` are rows of a target that no longer came. */
export const ROW_COUNTS = [
  'rows_in',
  'rows_out',
  'rows_failed',
  'rows_skipped',
  'rows_filtered',
  'rows_deleted',
] as const;
export type RowCounts = Readonly<Record<(typeof ROW_COUNTS)[number], number>>;

/** Everything a step counts and measures: whole numbers from 0, times in milliseconds since 1970. */
export const STEP_FIGURES = [...ROW_COUNTS, 'started_at', 'ended_at', 'attempts'] as const;
export type StepFigures = Readonly<Record<(typeof STEP_FIGURES)[number], number>>;

/** An object with `valueFor(name)` under each name, in their order. */
export function eachFigure<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Value>;
}

export const RUN_END_STATUSES = ['success', 'warning', 'error', 'cancelled', 'skipped'] as const;
/** How a run or a step can end. */
export type RunEndStatus = (typeof RUN_END_STATUSES)[number];

/** What an extract with a cursor has read: rows from the one value (null: from the beginning) to the other (null: it found none). */
export interface CursorSpan {
  readonly from: unknown;
  readonly to: unknown;
}

/** A column of a load's target that the load has changed. */
export interface SchemaChange {
  readonly object: string;
  readonly column: string;
  /** Its type before, as the target declares it; null for one of a column or a table that the load has made. */
  readonly from: string | null;
  readonly to: string;
  /** What the load asks for: a pause of the trigger, or a message. Absent: nothing. */
  readonly on_change?: SchemaChangeFollowUp | undefined;
}

export const SCHEMA_CHANGE_FOLLOW_UPS = ['pause_trigger', 'notify'] as const;
export type SchemaChangeFollowUp = (typeof SCHEMA_CHANGE_FOLLOW_UPS)[number];

/** What a load's target does not have of its rows although they were loaded. */
export interface Loss {
  readonly object: string;
  /** Whose values have lost digits, characters or a time of day; null: rows that the target dropped by itself, such as by a trigger. */
  readonly column: string | null;
  /** Of values or rows. */
  readonly count: number;
}

/** Of one step; a foreach over more targets keeps the first ones. */
export const SCHEMA_CHANGES_MAX = 100;
/** Of one step, likewise. */
export const LOSSES_MAX = 100;

/** Rows that differ and are kept with a run. */
export const DIFFERENCES_LISTED_MAX = 1_000;

/** A row that a source and its target do not both have in the same way; values as texts, cut where they are long. */
export interface RowDifference {
  readonly kind: 'differing' | 'missing' | 'surplus';
  readonly key: Readonly<Record<string, string | null>>;
  /** Of a differing row, by the name in the source. */
  readonly columns: readonly {
    readonly column: string;
    readonly source: string | null;
    readonly target: string | null;
  }[];
}

/** What a `verify` has found. */
export interface Verification {
  /** Connector and object, or method. */
  readonly source: string;
  readonly target: string;
  /** Whether the rows are the same, but for those that are let be. */
  readonly equal: boolean;
  readonly rows_source: number;
  readonly rows_target: number;
  readonly differing: number;
  readonly missing: number;
  readonly surplus: number;
  /** Differences of a first look that a second one no longer found, as the rows had moved on. */
  readonly settled: number;
  /** Rows that were loaded again. */
  readonly reloaded: number;
  /** Share of the keys; null for all. */
  readonly sample: number | null;
  /** By the name in the source, with the rows in which each differs. */
  readonly columns: readonly { readonly column: string; readonly differing: number }[];
  /** Columns that only one of the sides has, or that were not named. */
  readonly left_out: readonly string[];
  /** Where the digests of each side were computed: by its engine, or here, from its rows. */
  readonly digested: { readonly source: 'engine' | 'rows'; readonly target: 'engine' | 'rows' };
  /** The first of the rows. */
  readonly differences: readonly RowDifference[];
}

export interface StepResult extends StepFigures {
  readonly step_id: string;
  readonly kind: string;
  readonly status: RunEndStatus;
  /** Empty where there is none. */
  readonly error: string;
  /** null for a step without a cursor, or one that did not start. */
  readonly cursor: CursorSpan | null;
  /** Empty for a step that changed no target's columns. */
  readonly schema_changes: readonly SchemaChange[];
  /** Absent for a step that compared no source with its target. */
  readonly verification?: Verification | undefined;
  /** Absent where the target has what came. */
  readonly losses?: readonly Loss[] | undefined;
}

export interface RunFailure {
  readonly code: string;
  readonly message: string;
  /** Empty for the task itself. */
  readonly step_id: string;
}

export interface RunOutcome extends RowCounts {
  readonly status: RunEndStatus;
  /** `item_errors`, `task_error`, `config_error`, `condition_false`, `timeout`, `user`, or empty for plain success. */
  readonly reason: string;
  readonly failure: RunFailure | null;
  readonly steps: readonly StepResult[];
  /** The arguments that the task received, with their defaults; null where they are not known, differ by item, or are too large to be kept. */
  readonly args: Readonly<Record<string, unknown>> | null;
  /** What the task's `outputs` gave; null where it declares none, has not ended well, or they are too large to be kept. */
  readonly outputs: Readonly<Record<string, unknown>> | null;
  /** Calls of saved connectors; absent where there were none, and from executors of releases before. */
  readonly connectors?: readonly ConnectorUse[];
  /** False for what will fail again in the same way: wrong configuration, an expression's error. */
  readonly retryable: boolean;
}

/** The outcome of a run that did nothing; its status and reason are added. */
export const NOTHING_DONE = {
  failure: null,
  ...eachFigure(ROW_COUNTS, () => 0),
  steps: [],
  args: null,
  outputs: null,
  retryable: false,
} satisfies Partial<RunOutcome>;

export interface StepProgress {
  readonly step_id: string;
  readonly rows_in: number;
  readonly rows_out: number;
  readonly rows_failed: number;
  readonly rows_per_second: number;
  /** 0 to 1 where the total is known, else -1. */
  readonly ratio: number;
}

/** Of a metric's name, and of the names and values of its tags. Control planes refuse more. */
export const METRIC_TEXT_CHARS_MAX = 200;
export const METRIC_TAGS_MAX = 32;

export interface Metric {
  readonly name: string;
  readonly kind: 'counter' | 'gauge' | 'timing';
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly at: number;
}

/**
 * Where a row came from. Of a file its name, and the line on which the record begins, or the record's number; of other sources the
 * number among the rows that were read. Numbers count from 1. `key` and `cursor` are the row's values as they were read.
 */
export interface RowOrigin {
  readonly file?: string;
  readonly line?: number;
  readonly record?: number;
  readonly key?: Readonly<Record<string, unknown>>;
  readonly cursor?: Readonly<Record<string, unknown>>;
}

/** The code of a dead letter whose item is a record that the source could not give as a row. */
export const MALFORMED_RECORD = 'MALFORMED_RECORD';

export interface DeadLetter {
  readonly step_id: string;
  /** The task that the step belongs to, where a `run_task` step runs it; absent for the run's own. */
  readonly task?: string;
  /** The row as the failing step saw it. */
  readonly item: unknown;
  readonly code: string;
  readonly message: string;
  /** In a replay, the dead letter that the row comes from; absent where that is not known. */
  readonly replay_of?: number;
  /** Where the row came from; absent where that is not known. */
  readonly origin?: RowOrigin;
  /** The column that did not fit, and its value; absent where no single one is at fault. */
  readonly column?: string;
  readonly value?: unknown;
}

/** Failed rows go once more to the step that refused them, what follows it runs, and nothing else of the task does. */
export interface RunReplay {
  readonly step_id: string;
  /** How many rows there are to replay. */
  readonly letters: number;
}

/** A row to replay, and the dead letter that it comes from. */
export interface ReplayRow {
  readonly letter_id: number;
  readonly item: unknown;
}
