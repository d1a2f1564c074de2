import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { keptQuery } from '../../store/kept-query.ts';
import { onPage } from '../../store/keyset.ts';
import { nameContains } from '../../store/name-contains.ts';
import type { Db, Tx } from '../../store/store.ts';
import { ACTIVE_STATUSES } from '../runs/run.ts';
import type { JobRow } from './job.ts';

const jobById = keptQuery((db: Db, id: number) => db.selectFrom('jobs').selectAll().where('id', '=', id));

export async function selectJob(db: Db, id: number): Promise<JobRow | null> {
  return (await jobById(db, id))[0] ?? null;
}

/** The job, held until the transaction ends. */
export async function lockJob(tx: Tx, dialect: Dialect, id: number): Promise<JobRow | null> {
  const query = tx.selectFrom('jobs').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export interface JobFilters {
  readonly status?: string | undefined;
  readonly job_template_id?: number | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectJobs(db: Db, filters: JobFilters, paging: Paging): Promise<JobRow[]> {
  let query = db.selectFrom('jobs').selectAll();
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  if (filters.job_template_id !== undefined)
    query = query.where('job_template_id', '=', filters.job_template_id);
  if (filters.q !== undefined) query = query.where(nameContains(filters.q));
  return onPage(query, paging).execute();
}

export interface NewJob {
  readonly job_template_id: number;
  readonly template_version: number;
  readonly name: string;
  readonly description: string | null;
  readonly yaml_content: string;
  readonly parsed_json: string;
  readonly mapping: Readonly<Record<string, number>>;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface Pin {
  readonly task_key: string;
  readonly task_id: number;
  readonly task_version: number;
}

export async function insertJob(
  tx: Tx,
  job: NewJob,
  pins: readonly Pin[],
  by: string,
  now: number,
): Promise<JobRow> {
  const { mapping, config, ...columns } = job;
  const row = await tx
    .insertInto('jobs')
    .values({
      ...columns,
      connector_mapping_json: JSON.stringify(mapping),
      config_json: JSON.stringify(config),
      config_version: 1,
      status: 'active',
      version: 1,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (pins.length > 0)
    await tx
      .insertInto('job_tasks')
      .values(pins.map((pin) => ({ ...pin, job_id: row.id })))
      .execute();
  await insertConfigVersion(tx, row.id, 1, config, by, now);
  return row;
}

export async function updateJob(
  tx: Tx,
  row: JobRow,
  change: {
    readonly name: string;
    readonly description: string | null;
    readonly mapping: Readonly<Record<string, number>>;
  },
  now: number,
): Promise<JobRow> {
  return tx
    .updateTable('jobs')
    .set({
      name: change.name,
      description: change.description,
      connector_mapping_json: JSON.stringify(change.mapping),
      version: row.version + 1,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateJobStatus(
  tx: Tx,
  id: number,
  status: 'active' | 'archived',
  now: number,
): Promise<JobRow> {
  return tx
    .updateTable('jobs')
    .set({ status, updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A run of the job that replays dead letters and has not ended; null where there is none. */
export async function selectActiveReplay(tx: Tx, jobId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('runs')
    .select('id')
    .where('job_id', '=', jobId)
    .where('job_run_id', 'is', null)
    .where('status', 'in', ACTIVE_STATUSES)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** With its runs: those of its job runs go with these, replays belong to none. */
export async function deleteJob(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('runs').where('job_id', '=', id).where('job_run_id', 'is', null).execute();
  await tx.deleteFrom('jobs').where('id', '=', id).execute();
}

export async function updateConfig(
  tx: Tx,
  row: JobRow,
  config: Readonly<Record<string, unknown>>,
  by: string,
  now: number,
): Promise<JobRow> {
  const version = row.config_version + 1;
  await insertConfigVersion(tx, row.id, version, config, by, now);
  return tx
    .updateTable('jobs')
    .set({ config_json: JSON.stringify(config), config_version: version })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Newest first; one row more than the page. */
export async function selectConfigVersions(db: Db, jobId: number, paging: Paging) {
  const query = db.selectFrom('job_config_versions').selectAll().where('job_id', '=', jobId);
  return onPage(query, paging).execute();
}

export async function selectOverriddenKeys(db: Db, jobId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('job_tasks')
    .select('task_key')
    .where('job_id', '=', jobId)
    .where('override_yaml', 'is not', null)
    .orderBy('task_key')
    .execute();
  return rows.map((row) => row.task_key);
}

/** Connectors by id, as a job's mapping needs them. */
export async function selectConnectorSummaries(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, { id: number; name: string; type: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('connectors')
    .select(['id', 'name', 'type'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function insertConfigVersion(
  tx: Tx,
  jobId: number,
  version: number,
  config: Readonly<Record<string, unknown>>,
  by: string,
  now: number,
): Promise<void> {
  await tx
    .insertInto('job_config_versions')
    .values({ job_id: jobId, version, config_json: JSON.stringify(config), created_at: now, created_by: by })
    .execute();
}
