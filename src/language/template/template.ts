import type { Expression } from '../expression/expression.ts';
import type { Template as TemplateValue } from '../expression/template-string.ts';
import type { ArgumentSpec, RetryPolicy } from '../task/task.ts';
import type { JobConcurrency } from './job-concurrency.ts';
import type { JobConfigSchema } from './job-config.ts';

/** A checked job template: a DAG of tasks. Produced by `parse-template.ts`. */
export interface JobTemplate {
  readonly version: 1;
  readonly name: string;
  readonly description: string | null;
  readonly args: Readonly<Record<string, ArgumentSpec>>;
  readonly connectors: Readonly<Record<string, TemplateConnector>>;
  readonly jobConfig: JobConfigSchema;
  readonly tasks: Readonly<Record<string, TaskNode>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly concurrency: JobConcurrency | null;
  /** A job run that has not ended so long after it was created is cancelled; milliseconds, or null for none. */
  readonly deadlineMs: number | null;
  /** Kahn layering, keys sorted within a level. */
  readonly levels: readonly (readonly string[])[];
}

export interface TemplateConnector {
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
}

export type RunIf = 'all_success' | 'all_done' | 'any_failed' | 'none_failed';

/** A node of the DAG. `task` is a task's name; `connectors` maps its local names to the template's. */
export interface TaskNode {
  readonly key: string;
  readonly task: string;
  readonly needs: readonly string[];
  readonly connectors: Readonly<Record<string, string>>;
  readonly args: TemplateValue;
  readonly when: Expression | null;
  readonly runIf: RunIf;
  readonly allowFailure: boolean;
  readonly retry: RetryPolicy | null;
  readonly timeoutMs: number | null;
}
