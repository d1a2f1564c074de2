import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import { selectChildPins } from '../job-runs/node-pins.ts';
import { type ChildTask, namesWithChildren } from '../tasks/child-tasks.ts';
import { namesRun } from '../tasks/task.ts';
import type { JobRow } from './job.ts';
import type { Pin } from './job-store.ts';

type Connectors = TaskInfo['connectors'];

/** A node of a job: the pinned version of its task, and the job's override, if there is one. */
export interface PinnedTask extends Pin {
  readonly task_name: string;
  readonly yaml_content: string;
  readonly connectors: Connectors;
  /** With the names of the tasks that its steps run. */
  readonly override: {
    readonly yaml_content: string;
    readonly connectors: Connectors;
    readonly runs?: readonly string[];
  } | null;
  readonly children: readonly ChildTask[];
}

/** The nodes of a job, or the one `key`. */
export async function selectPinnedTasks(db: Db, jobId: number, key?: string): Promise<PinnedTask[]> {
  let query = db
    .selectFrom('job_tasks')
    .innerJoin('tasks', 'tasks.id', 'job_tasks.task_id')
    .innerJoin('task_versions', (join) =>
      join
        .onRef('task_versions.task_id', '=', 'job_tasks.task_id')
        .onRef('task_versions.version', '=', 'job_tasks.task_version'),
    )
    .select([
      'job_tasks.task_key',
      'job_tasks.task_id',
      'job_tasks.task_version',
      'job_tasks.override_yaml',
      'job_tasks.override_info_json',
      'tasks.name as task_name',
      'task_versions.yaml_content',
      'task_versions.connectors_json',
    ])
    .where('job_tasks.job_id', '=', jobId)
    .orderBy('job_tasks.task_key');
  if (key !== undefined) query = query.where('job_tasks.task_key', '=', key);
  const children = (await selectChildPins(db, [jobId])).get(jobId);
  return (await query.execute()).map(({ override_yaml, override_info_json, connectors_json, ...row }) => {
    const connectors = JSON.parse(connectors_json) as Connectors;
    const info = override_info_json === null ? null : (JSON.parse(override_info_json) as TaskInfo);
    const override =
      override_yaml === null
        ? null
        : { yaml_content: override_yaml, connectors: info?.connectors ?? connectors, runs: info?.runs ?? [] };
    return { ...row, connectors, override, children: children?.get(row.task_key) ?? [] };
  });
}

/** The override of a node with what it declares; null removes it. */
export async function updateOverride(
  tx: Tx,
  jobId: number,
  key: string,
  own: { readonly yaml: string; readonly info: TaskInfo } | null,
): Promise<void> {
  const override = {
    override_yaml: own?.yaml ?? null,
    override_info_json: own === null ? null : JSON.stringify(own.info),
  };
  const query = tx.updateTable('job_tasks').set(override);
  await query.where('job_id', '=', jobId).where('task_key', '=', key).execute();
}

export async function bumpJobVersion(tx: Tx, row: JobRow, now: number): Promise<JobRow> {
  return tx
    .updateTable('jobs')
    .set({ version: row.version + 1, updated_at: now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The current state of a task, as a job that pins it needs it. */
export interface CurrentTask {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly yaml_content: string;
  readonly connectors: Connectors;
  /** Names of the tasks that its steps run. */
  readonly runs: readonly string[];
}

/** The current state of tasks, by id or by name, and of those that they run. */
export async function selectCurrentTasks(
  db: Db,
  ids: readonly number[],
  names: readonly string[],
): Promise<CurrentTask[]> {
  if (ids.length + names.length === 0) return [];
  const named = await db.selectFrom('tasks').select('name').where('id', 'in', ids).execute();
  const all = await namesWithChildren(db, [...names, ...named.map(({ name }) => name)]);
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'name', 'version', 'yaml_content', 'connectors_json', 'runs_json'])
    .where((eb) =>
      eb.or([
        ...(ids.length === 0 ? [] : [eb('id', 'in', ids)]),
        ...(all.length === 0 ? [] : [eb('name', 'in', all)]),
      ]),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ connectors_json, runs_json, ...row }) => ({
    ...row,
    runs: namesRun(runs_json),
    connectors: JSON.parse(connectors_json) as Connectors,
  }));
}

/** The names and versions of tasks by id, locked until the transaction ends. */
export async function lockTaskVersions(
  tx: Tx,
  dialect: Dialect,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly name: string; readonly version: number }>> {
  if (ids.length === 0) return new Map();
  const query = tx.selectFrom('tasks').select(['id', 'name', 'version']).where('id', 'in', ids);
  const rows = await query.orderBy('id').modifyEnd(dialect.forUpdate).execute();
  return new Map(rows.map(({ id, name, version }) => [id, { name, version }]));
}
