import type { Db } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages.ts';
import type { TaskLimits } from '../tasks/task.ts';
import type { NodePin } from './job-run.ts';

/**
 * What the nodes of jobs run, by job and by their pins: the version's text, or the job's own override of it. Which connectors an
 * override declares is not stored; it is offered all that the template has for it.
 */
export async function selectPins(
  db: Db,
  jobs: readonly { readonly id: number; readonly parsed: TemplateInfo }[],
): Promise<ReadonlyMap<number, Readonly<Record<string, NodePin>>>> {
  const byId = new Map(
    jobs.map((job) => [job.id, { parsed: job.parsed, pins: {} as Record<string, NodePin> }]),
  );
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
      'tasks.name as task_name',
      'tasks.labels_json',
      'task_versions.yaml_content',
      'task_versions.connectors_json',
      'task_versions.limits_json',
    ])
    .where('job_tasks.job_id', 'in', [...byId.keys()])
    .execute();
  for (const row of rows) {
    const job = byId.get(row.job_id);
    if (job === undefined) continue;
    job.pins[row.task_key] = {
      task_id: row.task_id,
      task_name: row.task_name,
      task_version: row.task_version,
      yaml_content: row.override_yaml ?? row.yaml_content,
      connectors:
        row.override_yaml === null
          ? (JSON.parse(row.connectors_json) as NodePin['connectors'])
          : offeredConnectors(job.parsed, row.task_key),
      labels: JSON.parse(row.labels_json) as NodePin['labels'],
      limits: JSON.parse(row.limits_json) as TaskLimits,
    };
  }
  return new Map([...byId].map(([id, { pins }]) => [id, pins]));
}

function offeredConnectors(parsed: TemplateInfo, key: string): NodePin['connectors'] {
  const offered: Record<string, { type: string }> = {};
  for (const [name, { type }] of Object.entries(parsed.connectors)) offered[name] = { type };
  const node = parsed.tasks.find((task) => task.key === key);
  for (const [local, name] of Object.entries(node?.connectors ?? {})) {
    const declared = parsed.connectors[name];
    if (declared !== undefined) offered[local] = { type: declared.type };
  }
  return offered;
}
