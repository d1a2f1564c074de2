import type { Selectable } from 'kysely';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import { IS_ACTIVE } from '../runs/run.ts';

/** The incremental cursor `name` of one node of a job; null if none was saved. */
export async function selectJobState(
  db: Db,
  jobId: number,
  taskKey: string,
  name: string,
): Promise<{ value: unknown; version: number } | null> {
  const row = await db
    .selectFrom('job_states')
    .select(['value_json', 'version'])
    .where('job_id', '=', jobId)
    .where('task_key', '=', taskKey)
    .where('name', '=', name)
    .executeTakeFirst();
  return row === undefined ? null : { value: parseJsonText(row.value_json), version: row.version };
}

/** Compare-and-set: stored only if the state is still at `expected` (0: absent). Returns the current version. */
export async function upsertJobState(
  tx: Tx,
  where: { readonly jobId: number; readonly taskKey: string; readonly name: string },
  value: unknown,
  expected: number,
  now: number,
): Promise<{ version: number; stored: boolean }> {
  const version = expected + 1;
  const values = { value_json: JSON.stringify(value), version, updated_at: now };
  const key = { job_id: where.jobId, task_key: where.taskKey, name: where.name };
  const result =
    expected === 0
      ? await tx
          .insertInto('job_states')
          .values({ ...key, ...values })
          .onConflict((oc) => oc.doNothing())
          .executeTakeFirst()
      : await tx
          .updateTable('job_states')
          .set(values)
          .where('job_id', '=', key.job_id)
          .where('task_key', '=', key.task_key)
          .where('name', '=', key.name)
          .where('version', '=', expected)
          .executeTakeFirst();
  const changed =
    'numInsertedOrUpdatedRows' in result ? result.numInsertedOrUpdatedRows : result.numUpdatedRows;
  if ((changed ?? 0n) > 0n) return { version, stored: true };
  const stands = await selectJobState(tx, where.jobId, where.taskKey, where.name);
  return { version: stands?.version ?? 0, stored: false };
}

export type JobStateRow = Selectable<Schema['job_states']>;

/** The internal state of a run next to the cursor of a step, until its loads are committed. */
const PENDING = '.pending';

/** The cursors of a job, or of one of its nodes, by node and step. */
export async function selectJobStates(
  db: Db,
  jobId: number,
  taskKey: string | null,
): Promise<readonly JobStateRow[]> {
  let query = db.selectFrom('job_states').selectAll().where('job_id', '=', jobId);
  if (taskKey !== null) query = query.where('task_key', '=', taskKey);
  const rows = await query.orderBy('task_key').orderBy('name').execute();
  return rows.filter(({ name }) => !name.endsWith(PENDING));
}

/** Overwrites the cursor of a step, and deletes the pending state of a run next to it. */
export async function setJobState(
  tx: Tx,
  where: { readonly jobId: number; readonly taskKey: string; readonly stepId: string },
  value: unknown,
  now: number,
): Promise<void> {
  const { jobId, taskKey, stepId } = where;
  const version = ((await selectJobState(tx, jobId, taskKey, stepId))?.version ?? 0) + 1;
  const values = { value_json: JSON.stringify(value), version, updated_at: now };
  await tx
    .insertInto('job_states')
    .values({ job_id: jobId, task_key: taskKey, name: stepId, ...values })
    .onConflict((oc) => oc.columns(['job_id', 'task_key', 'name']).doUpdateSet(values))
    .execute();
  await deletion(tx, jobId, taskKey)
    .where('name', '=', stepId + PENDING)
    .execute();
}

/** Deletes the cursors of a job, of a node (`taskKey`), or of one step of it; returns the number of rows. */
export async function deleteJobStates(
  tx: Tx,
  jobId: number,
  taskKey: string | null,
  stepId: string | null,
): Promise<number> {
  let query = deletion(tx, jobId, taskKey);
  if (stepId !== null) query = query.where('name', 'in', [stepId, stepId + PENDING]);
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

function deletion(tx: Tx, jobId: number, taskKey: string | null) {
  const query = tx.deleteFrom('job_states').where('job_id', '=', jobId);
  return taskKey === null ? query : query.where('task_key', '=', taskKey);
}

/** An unfinished run of the job, or of one of its nodes; null for none. */
export async function selectActiveRun(
  db: Db,
  jobId: number,
  taskKey: string | null,
): Promise<{ readonly id: number; readonly task_key: string | null } | null> {
  let query = db.selectFrom('runs').select(['id', 'task_key']).where('job_id', '=', jobId).where(IS_ACTIVE);
  if (taskKey !== null) query = query.where('task_key', '=', taskKey);
  return (await query.orderBy('id').limit(1).executeTakeFirst()) ?? null;
}
