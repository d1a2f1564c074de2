import type { Expression } from '../expression/expression.ts';
import type { ArgumentSpec } from '../task/arguments.ts';
import type { JobConfigSchema } from './job-config.ts';
import type { TaskNode } from './task-node.ts';

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

interface TemplateConnector {
  readonly type: string;
  readonly required: boolean;
  readonly description: string | null;
}

/** How many job runs of one job, or of one key within it, may go on at once, and what becomes of one too many. */
interface JobConcurrency {
  readonly limit: number;
  /** Evaluated over `args` and `job_config` before a start: runs with equal answers count together. Null: all of the job do. */
  readonly key: Expression | null;
  readonly onConflict: 'queue' | 'skip' | 'cancel_running' | 'fail';
}
