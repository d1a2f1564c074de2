import type { Db, Tx } from '../../store/store.ts';

/** The incremental cursor `name` of one node of a job; null where nothing was saved. */
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
  return row === undefined ? null : { value: JSON.parse(row.value_json) as unknown, version: row.version };
}

/** Compare-and-set: stored only where the state is still at `expected` (0: not there). Gives the version that stands. */
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
