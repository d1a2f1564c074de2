import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { namedStatements, versionStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import { definitionColumns, versionColumns } from '../definitions/definition-columns.ts';
import { nameTaken } from '../definitions/record-changes.ts';
import type { DefinitionStatus, PreparedYaml, Stamp } from '../definitions/yaml-definitions.ts';
import { type TaskRecord, type TaskRow, toTask } from './task.ts';

export type TaskWrite = TaskInfo & PreparedYaml & Stamp;

const HEAD = [
  'id',
  'name',
  'description',
  'version',
  'status',
  'labels_json',
  'connectors_json',
  'limits_json',
  'runs_json',
  'created_at',
  'updated_at',
  'updated_by',
] as const;

const tasks = namedStatements('tasks', toTask, HEAD);
export const {
  select: selectTask,
  lock: lockTask,
  remove: deleteTask,
  selectNamed: selectTasksByName,
} = tasks;
export const taskVersions = versionStatements('task_versions', 'task_id');

/** Tasks by name, locked until the transaction ends: nobody changes or deletes what a new job pins. */
export async function lockTasksByName(
  tx: Tx,
  dialect: Dialect,
  names: readonly string[],
): Promise<TaskRecord[]> {
  if (names.length === 0) return [];
  const query = tx.selectFrom('tasks').selectAll().where('name', 'in', names).orderBy('id');
  return (await query.modifyEnd(dialect.forUpdate).execute()).map(toTask);
}

/** So many names are compared with one that does not exist. */
const NAMES_MAX = 5_000;

/** The names of the newest tasks, for "did you mean". */
export async function selectTaskNames(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('tasks').select('name').orderBy('id', 'desc').limit(NAMES_MAX).execute();
  return rows.map(({ name }) => name);
}

export interface TaskFilters {
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectTasks(db: Db, { status, q }: TaskFilters, paging: Paging): Promise<TaskRow[]> {
  return tasks.page(db, paging, { status }, q);
}

/** `CONFLICT` where the name is taken. */
export async function insertTask(tx: Tx, write: TaskWrite): Promise<TaskRecord> {
  const fresh = { ...columnsOf(write), status: 'active', version: 1, created_at: write.now };
  const task = await tasks.insertNamed(tx, fresh);
  if (task === null) throw nameTaken('task', write.name);
  await insertVersion(tx, task.id, 1, write);
  return task;
}

export async function updateTask(tx: Tx, id: number, version: number, write: TaskWrite): Promise<TaskRecord> {
  const task = await tasks.update(tx, id, { ...columnsOf(write), version });
  await insertVersion(tx, id, version, write);
  return task;
}

export function updateTaskStatus(tx: Tx, id: number, status: DefinitionStatus): Promise<TaskRecord> {
  return tasks.update(tx, id, { status });
}

/** Jobs that pin any version of the task, as a node or as what a step of one runs. */
export async function selectPinningJobs(db: Db, taskId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('jobs')
    .select(['id', 'name'])
    .where('id', 'in', (eb) => eb.selectFrom('job_tasks').select('job_id').where('task_id', '=', taskId))
    .union(
      db
        .selectFrom('jobs')
        .select(['id', 'name'])
        .where('id', 'in', (eb) =>
          eb.selectFrom('job_task_children').select('job_id').where('task_id', '=', taskId),
        ),
    )
    .orderBy('id')
    .execute();
}

function columnsOf(write: TaskWrite) {
  return { ...definitionColumns(write), ...infoColumns(write) };
}

function infoColumns({ labels, connectors, limits, runs = [] }: TaskInfo) {
  return {
    runs_json: runs.length === 0 ? null : JSON.stringify(runs),
    labels_json: JSON.stringify(labels),
    connectors_json: JSON.stringify(connectors),
    limits_json: JSON.stringify(limits ?? {}),
  };
}

async function insertVersion(tx: Tx, taskId: number, version: number, write: TaskWrite): Promise<void> {
  const values = { task_id: taskId, ...versionColumns(version, write), ...infoColumns(write) };
  await taskVersions.insert(tx, values);
}
