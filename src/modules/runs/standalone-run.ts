import { type Problem, validationError } from '../../base/errors.ts';
import type { Db } from '../../store/store.ts';
import { selectConnectorsById } from '../connectors/connector-store.ts';
import type { ChildTask } from '../tasks/child-tasks.ts';
import type { TaskRecord } from '../tasks/task.ts';
import { type NewRun, NO_RETRY } from './run.ts';

/** What a run of a task by itself is given. */
export interface StandaloneInput {
  /** Local connector name to connector id. */
  readonly connectors: Readonly<Record<string, number>>;
  readonly args: Readonly<Record<string, unknown>>;
  readonly job_config: Readonly<Record<string, unknown>>;
  readonly priority: number;
}

/** A run of the task as it is, without a job; `tasks` are those that it runs. */
export function standaloneRun(task: TaskRecord, tasks: readonly ChildTask[], input: StandaloneInput): NewRun {
  const { concurrency, deadlineMs } = task.limits;
  return {
    task_id: task.id,
    task_name: task.name,
    task_version: task.version,
    yaml_content: task.yaml_content,
    tasks,
    job_run_id: null,
    job_id: null,
    task_key: null,
    reason: 'manual',
    retry: NO_RETRY,
    args: { values: input.args, template: null, when: null },
    config: input.job_config,
    connectors: input.connectors,
    connectorTypes: Object.values(task.connectors).map((connector) => connector.type),
    labels: task.labels,
    timeout_ms: 0,
    rerun_of: null,
    scheduled_for: null,
    priority: input.priority,
    ...taskLimits(task.id, concurrency, deadlineMs),
  };
}

/** What a task's `concurrency` and `deadline` make of its runs, wherever they are started. */
export function taskLimits(taskId: number, concurrency: number | undefined, deadlineMs: number | undefined) {
  return {
    concurrencyKey: concurrency === undefined ? null : `task:${taskId}`,
    concurrencyLimit: concurrency ?? null,
    deadlineMs: deadlineMs ?? null,
  };
}

/** Every connector that the task declares is given, exists and has its type. */
export async function requireConnectors(
  db: Db,
  task: TaskRecord,
  given: Readonly<Record<string, number>>,
): Promise<void> {
  const rows = new Map((await selectConnectorsById(db, Object.values(given))).map((row) => [row.id, row]));
  const problems: Problem[] = [];
  for (const [local, { type }] of Object.entries(task.connectors)) {
    const path = `connectors.${local}`;
    const id = given[local];
    const row = id === undefined ? undefined : rows.get(id);
    if (id === undefined)
      problems.push({ path, message: `The task needs a connector "${local}" of type "${type}"` });
    else if (row === undefined) problems.push({ path, message: `There is no connector "${id}"` });
    else if (row.type !== type)
      problems.push({
        path,
        message: `"${local}" must be of type "${type}"; the connector "${row.name}" is of type "${row.type}"`,
      });
  }
  for (const local of Object.keys(given)) {
    if (task.connectors[local] === undefined)
      problems.push({ path: `connectors.${local}`, message: `The task declares no connector "${local}"` });
  }
  if (problems.length > 0) throw validationError(problems);
}
