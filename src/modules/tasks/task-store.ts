import type { Selectable } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/keyset.ts';
import { nameContains } from '../../store/name-contains.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import { type TaskRecord, toTask } from './task.ts';

type TaskVersionRow = Selectable<Schema['task_versions']>;

export interface TaskWrite extends TaskInfo {
  readonly yaml: string;
  readonly by: string;
  readonly now: number;
}

export async function selectTask(db: Db, id: number): Promise<TaskRecord | null> {
  const row = await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toTask(row);
}

/** The task, held until the transaction ends. */
export async function lockTask(tx: Tx, dialect: Dialect, id: number): Promise<TaskRecord | null> {
  const query = tx.selectFrom('tasks').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  const row = await query.executeTakeFirst();
  return row === undefined ? null : toTask(row);
}

/** Tasks by name, held until the transaction ends: nobody changes or deletes what a new job pins. */
export async function lockTasksByName(
  tx: Tx,
  dialect: Dialect,
  names: readonly string[],
): Promise<TaskRecord[]> {
  if (names.length === 0) return [];
  const query = tx.selectFrom('tasks').selectAll().where('name', 'in', names).orderBy('id');
  return (await query.modifyEnd(dialect.forUpdate).execute()).map(toTask);
}

/** Tasks by name, for templates that refer to them. */
export async function selectTasksByName(db: Db, names: readonly string[]): Promise<TaskRecord[]> {
  if (names.length === 0) return [];
  const rows = await db.selectFrom('tasks').selectAll().where('name', 'in', names).execute();
  return rows.map(toTask);
}

export interface TaskFilters {
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectTasks(db: Db, filters: TaskFilters, paging: Paging) {
  let query = db.selectFrom('tasks').selectAll();
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  if (filters.q !== undefined) query = query.where(nameContains(filters.q));
  return onPage(query, paging).execute();
}

/** `CONFLICT` where the name is taken. */
export async function insertTask(tx: Tx, write: TaskWrite): Promise<TaskRecord> {
  const row = await tx
    .insertInto('tasks')
    .values({ ...columnsOf(write), status: 'active', version: 1, created_at: write.now })
    .onConflict((oc) => oc.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw nameTaken(write.name);
  await insertVersion(tx, row.id, 1, write);
  return toTask(row);
}

export async function updateTask(tx: Tx, id: number, version: number, write: TaskWrite): Promise<TaskRecord> {
  const row = await tx
    .updateTable('tasks')
    .set({ ...columnsOf(write), version })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertVersion(tx, id, version, write);
  return toTask(row);
}

export async function deleteTask(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('tasks').where('id', '=', id).execute();
}

export async function updateTaskStatus(tx: Tx, id: number, status: string): Promise<void> {
  await tx.updateTable('tasks').set({ status }).where('id', '=', id).execute();
}

/** Jobs that pin any version of the task. */
export async function selectPinningJobs(db: Db, taskId: number): Promise<{ id: number; name: string }[]> {
  return db
    .selectFrom('job_tasks')
    .innerJoin('jobs', 'jobs.id', 'job_tasks.job_id')
    .select(['jobs.id', 'jobs.name'])
    .where('job_tasks.task_id', '=', taskId)
    .distinct()
    .orderBy('jobs.id')
    .execute();
}

export async function selectTaskVersions(db: Db, taskId: number): Promise<TaskVersionRow[]> {
  return db
    .selectFrom('task_versions')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('version', 'desc')
    .execute();
}

export async function selectTaskVersion(
  db: Db,
  taskId: number,
  version: number,
): Promise<TaskVersionRow | null> {
  const row = await db
    .selectFrom('task_versions')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('version', '=', version)
    .executeTakeFirst();
  return row ?? null;
}

function columnsOf(write: TaskWrite) {
  return {
    name: write.name,
    description: write.description,
    yaml_content: write.yaml,
    labels_json: JSON.stringify(write.labels),
    connectors_json: JSON.stringify(write.connectors),
    limits_json: JSON.stringify(write.limits ?? {}),
    updated_at: write.now,
    updated_by: write.by,
  };
}

async function insertVersion(tx: Tx, taskId: number, version: number, write: TaskWrite): Promise<void> {
  await tx
    .insertInto('task_versions')
    .values({
      task_id: taskId,
      version,
      yaml_content: write.yaml,
      connectors_json: JSON.stringify(write.connectors),
      labels_json: JSON.stringify(write.labels),
      limits_json: JSON.stringify(write.limits ?? {}),
      created_at: write.now,
      created_by: write.by,
    })
    .execute();
}

export function nameTaken(name: string): AppError {
  return new AppError('CONFLICT', `There is a task "${name}" already`);
}
