import type { RunForeach } from '../../base/run-foreach.ts';
import type { Task } from '../../language/task/parse-task.ts';
import type { Dag } from '../../language/template/dag.ts';
import type { JobTemplate } from '../../language/template/parse-template.ts';
import type { TaskNode } from '../../language/template/task-node.ts';

/** What a task's YAML says, as the store keeps it beside the text. */
export interface TaskInfo extends Pick<Task, 'name' | 'description' | 'labels' | 'connectors'> {
  /** Absent in what was stored before there were any. */
  readonly limits?: TaskLimits | undefined;
  /** Names of the tasks that its `run_task` steps run. Absent for none. */
  readonly runs?: readonly string[] | undefined;
  /** It has script steps. Absent for none. */
  readonly scripts?: true | undefined;
}

/** What its runs are bound by as a whole; a key that is absent sets no limit. */
export interface TaskLimits {
  /** Runs of the task at once. */
  readonly concurrency?: number;
  /** From the creation of a run to its end. */
  readonly deadlineMs?: number;
}

/** A node of a template's graph, with expressions as text. */
export interface NodeInfo extends Omit<TaskNode, 'args' | 'when' | 'foreach'> {
  /** Source of the node's `when`, evaluated by the executor; null where there is none. */
  readonly when: string | null;
  /** The args as they stand, with their `{{ }}`. */
  readonly argsSource: unknown;
  /** Its task runs once for each item. Absent or null: once; the former in what was stored before there was any. */
  readonly foreach?: RunForeach | null;
}

export interface JobConcurrencyInfo extends Omit<NonNullable<JobTemplate['concurrency']>, 'key'> {
  /** Source of the key, which `job_key` evaluates; null where all runs of the job count together. */
  readonly keyExpr: string | null;
}

/** What a job template's YAML says, as the store keeps it beside the text. */
export interface TemplateInfo
  extends Pick<JobTemplate, 'name' | 'description' | 'args' | 'connectors' | 'levels' | 'labels'> {
  readonly tasks: readonly NodeInfo[];
  /** Absent in what was stored before these acted. */
  readonly concurrency?: JobConcurrencyInfo | null;
  readonly deadlineMs?: number | null;
  /** Absent in what was stored before there was any. */
  readonly slaMs?: number | null;
  /** As the API's answers give it. */
  readonly dag: Dag;
  /** The `job_config` section, as JSON. */
  readonly jobConfig: Readonly<Record<string, unknown>>;
  readonly jobConfigDefaults: Readonly<Record<string, unknown>>;
}
