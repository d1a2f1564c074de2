import type { Expression } from '../expression/expression.ts';
import type { Template } from '../expression/template-string.ts';
import type { TaskTest } from './task-tests.ts';

/** A checked task document. Produced by `parse-task.ts`; every expression in it is already compiled. */
export interface Task {
  readonly version: 1;
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Local connector name to its type. */
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
  readonly args: Readonly<Record<string, ArgumentSpec>>;
  /** Whole-task limit in milliseconds, or null for none. */
  readonly timeoutMs: number | null;
  /** A run that has not ended so long after it was created is cancelled; milliseconds, or null for none. */
  readonly deadlineMs: number | null;
  /** Runs of the task that may go on at once, or null for any number. */
  readonly concurrency: number | null;
  readonly retry: RetryPolicy;
  /** The `metrics` section: overrides injected backends; null when absent. */
  readonly metrics: readonly { readonly backend: string; readonly config: Record<string, unknown> }[] | null;
  /** In document order; `needs` always resolved to step ids. */
  readonly steps: readonly Step[];
  /** Examples, which `headgate test` runs. */
  readonly tests: readonly TaskTest[];
}

export interface ArgumentSpec {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';
  readonly required: boolean;
  readonly default: unknown;
  readonly description: string | null;
}

/** `maxAttempts` counts the first. Delay before attempt n+1: `delayMs * factor^(n-1)`, at most `maxDelayMs`, ± `jitter`. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly delayMs: number;
  readonly factor: number;
  readonly maxDelayMs: number;
  readonly jitter: number;
}

export interface OnError {
  readonly action: 'fail' | 'skip' | 'dead_letter';
  /** Absolute bound on failed items, or null. */
  readonly maxErrors: number | null;
  /** Bound on failed items over all items, 0 to 1, or null. */
  readonly maxErrorRate: number | null;
}

interface StepBase {
  readonly id: string;
  readonly name: string | null;
  readonly when: Expression | null;
  /** True when `when` reads `item`: then it is asked for every item. */
  readonly whenPerItem: boolean;
  /** Steps that must have ended, or that feed this one. Default: the one before. */
  readonly needs: readonly string[];
  /** The step whose rows this one reads, or null. */
  readonly input: string | null;
  readonly timeoutMs: number | null;
  readonly retry: RetryPolicy;
  readonly onError: OnError;
  readonly allowFailure: boolean;
  readonly batchRows: number;
  /** The document names `batch.size`; a load of another size would not be what it asks for. */
  readonly batchRowsGiven: boolean;
}

export interface CursorSpec {
  readonly field: string;
  readonly type: 'string' | 'integer' | 'number' | 'date' | 'datetime';
  readonly initial: Template | null;
  readonly lookbackMs: number;
}

export interface ExtractStep extends StepBase {
  readonly kind: 'extract';
  readonly connector: string;
  readonly method: string;
  readonly args: Template;
  readonly cursor: CursorSpec | null;
}

export type CastType =
  | 'string'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'json';

/** One operation of a `transform`; each takes rows and gives rows. */
export type Op =
  | { readonly op: 'filter'; readonly expr: Expression }
  | { readonly op: 'map'; readonly fields: readonly { readonly name: string; readonly expr: Expression }[] }
  | { readonly op: 'set'; readonly fields: readonly { readonly name: string; readonly expr: Expression }[] }
  | { readonly op: 'rename'; readonly fields: Readonly<Record<string, string>> }
  | { readonly op: 'drop'; readonly fields: readonly string[] }
  | { readonly op: 'cast'; readonly fields: readonly { readonly name: string; readonly type: CastType }[] }
  /** Rows `{source_field, target_field, transform}` of the `job_config` entry named here; transforms compile at run start. */
  | { readonly op: 'mapping'; readonly configKey: string };

export interface TransformStep extends StepBase {
  readonly kind: 'transform';
  readonly input: string;
  readonly ops: readonly Op[];
}

export interface LoadStep extends StepBase {
  readonly kind: 'load';
  readonly input: string;
  readonly connector: string;
  readonly object: Template;
  readonly mode: 'append' | 'replace' | 'upsert' | 'merge';
  readonly key: readonly string[];
  readonly allowEmpty: boolean;
}

export interface CallStep extends StepBase {
  readonly kind: 'call';
  readonly connector: string;
  readonly method: string;
  readonly args: Template;
}

export interface AssertStep extends StepBase {
  readonly kind: 'assert';
  readonly check: Expression;
  readonly severity: 'warn' | 'error';
  readonly message: Template | null;
}

export interface LogStep extends StepBase {
  readonly kind: 'log';
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: Template;
}

export type Step = ExtractStep | TransformStep | LoadStep | CallStep | AssertStep | LogStep;
export type StepKind = Step['kind'];
