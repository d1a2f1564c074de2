import type { ArgumentSpec } from './arguments.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { Step } from './steps/steps.ts';
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
