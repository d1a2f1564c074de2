import type { Db } from '../../store/store.ts';
import type { TaskInfo, TaskLimits } from '../../threads/messages/definition-info.ts';
import type { ChildTask } from '../tasks/child-tasks.ts';
import type { NodePin } from './job-run.ts';

/**
 * What the nodes of jobs run, by job and by their pins: the version's text with what it declares, or the job's own override of it
 * with what that declares.
 */
export async function selectPins(
  db: Db,
  jobs: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, Readonly<Record<string, NodePin>>>> {
  const byId = new Map(jobs.map((job) => [job.id, {} as Record<string, NodePin>]));
  if (byId.size === 0) return new Map();
  const rows = await db
    .selectFrom('job_tasks')
    .innerJoin('tasks', 'tasks.id', 'job_tasks.task_id')
    .innerJoin('task_versions', (join) =>
      join
        .onRef('task_versions.task_id', '=', 'job_tasks.task_id')
        .onRef('task_versions.version', '=', 'job_tasks.task_version'),
    )
    .select([
      'job_tasks.job_id',
      'job_tasks.task_key',
      'job_tasks.task_id',
      'job_tasks.task_version',
      'job_tasks.override_yaml',
      'job_tasks.override_info_json',
      'tasks.name as task_name',
      'tasks.labels_json as task_labels_json',
      'task_versions.yaml_content',
      'task_versions.connectors_json',
      'task_versions.labels_json',
      'task_versions.limits_json',
    ])
    .where('job_tasks.job_id', 'in', [...byId.keys()])
    .execute();
  const children = await selectChildPins(db, [...byId.keys()]);
  for (const row of rows) {
    const pins = byId.get(row.job_id);
    if (pins === undefined) continue;
    const tasks = children.get(row.job_id)?.get(row.task_key);
    const own = row.override_info_json === null ? null : (JSON.parse(row.override_info_json) as TaskInfo);
    pins[row.task_key] = {
      task_id: row.task_id,
      task_name: row.task_name,
      task_version: row.task_version,
      yaml_content: row.override_yaml ?? row.yaml_content,
      connectors: own?.connectors ?? (JSON.parse(row.connectors_json) as NodePin['connectors']),
      ...(tasks && { tasks }),
      labels: own?.labels ?? (JSON.parse(row.labels_json ?? row.task_labels_json) as NodePin['labels']),
      limits: own === null ? (JSON.parse(row.limits_json) as TaskLimits) : (own.limits ?? {}),
    };
  }
  return byId;
}

/** What the nodes of jobs run by `run_task` steps, at the versions that they pin, by job and node. */
export async function selectChildPins(
  db: Db,
  jobIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<string, readonly ChildTask[]>>> {
  const rows = await db
    .selectFrom('job_task_children as child')
    .innerJoin('task_versions', (join) =>
      join
        .onRef('task_versions.task_id', '=', 'child.task_id')
        .onRef('task_versions.version', '=', 'child.task_version'),
    )
    .select(['job_id', 'task_key', 'child.name', 'child.task_id', 'task_version', 'yaml_content'])
    .where('job_id', 'in', jobIds)
    .orderBy('child.name')
    .execute();
  const pins = new Map<number, Map<string, ChildTask[]>>();
  for (const { job_id, task_key, ...child } of rows) {
    const ofJob = pins.get(job_id) ?? new Map<string, ChildTask[]>();
    pins.set(job_id, ofJob.set(task_key, [...(ofJob.get(task_key) ?? []), child]));
  }
  return pins;
}
