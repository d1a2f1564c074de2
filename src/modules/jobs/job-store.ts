import type { Paging } from '../../http/paging.ts';
import { keptQuery } from '../../store/kept-query.ts';
import { filtered, onPage } from '../../store/lists/keyset.ts';
import { holding } from '../../store/lists/name-search.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { Labels } from '../definitions/label.ts';
import { jobsLabelled, writeLabels } from '../definitions/label-store.ts';
import { markDeleted } from '../deletions/deletion-store.ts';
import { IS_ACTIVE } from '../runs/run.ts';
import type { ChildTask } from '../tasks/child-tasks.ts';
import type { JobRow } from './job.ts';

const jobs = recordStatements('jobs');
export const { select: selectJob, lock: lockJob } = jobs;

export interface JobFilters {
  readonly status?: string | undefined;
  readonly job_template_id?: number | undefined;
  readonly q?: string | undefined;
  readonly label?: readonly string[] | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectJobs(
  db: Db,
  { status, job_template_id, q, label = [] }: JobFilters,
  paging: Paging,
): Promise<JobRow[]> {
  if (label.length === 0) return jobs.page(db, paging, { status, job_template_id }, q);
  const holds = q === undefined ? null : await holding(db, 'jobs', q);
  const found = filtered(db.selectFrom('jobs').selectAll(), { status, job_template_id }, holds);
  const labelled = jobsLabelled('jobs.id', label).reduce((query, condition) => query.where(condition), found);
  return onPage(labelled, paging).execute();
}

export interface NewJob {
  readonly job_template_id: number;
  readonly template_version: number;
  readonly name: string;
  readonly description: string | null;
  readonly yaml_content: string;
  readonly parsed_json: string;
  readonly mapping: Readonly<Record<string, number>>;
  /** Absent: none. */
  readonly labels?: Labels;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface Pin {
  readonly task_key: string;
  readonly task_id: number;
  readonly task_version: number;
  /** What its `run_task` steps run. Absent: nothing. */
  readonly children?: readonly Omit<ChildTask, 'yaml_content'>[];
}

export async function insertJob(
  tx: Tx,
  job: NewJob,
  pins: readonly Pin[],
  by: string,
  now: number,
): Promise<JobRow> {
  const { mapping, labels = {}, config, ...columns } = job;
  const row = await jobs.insert(tx, {
    ...columns,
    connector_mapping_json: JSON.stringify(mapping),
    config_json: JSON.stringify(config),
    labels_json: JSON.stringify(labels),
    config_version: 1,
    status: 'active',
    version: 1,
    created_at: now,
    updated_at: now,
  });
  if (pins.length > 0)
    await tx
      .insertInto('job_tasks')
      .values(pins.map(({ children: _, ...pin }) => ({ ...pin, job_id: row.id })))
      .execute();
  await insertChildPins(tx, row.id, pins);
  if (Object.keys(labels).length > 0) await writeLabels(tx, row.id, labels);
  await insertConfigVersion(tx, row.id, 1, config, by, now);
  return row;
}

/** Below the engines' limits of bound values. */
const CHILDREN_PER_INSERT = 500;

/** Pins what the steps of these nodes run; a name that a node pins already keeps its version. */
export async function insertChildPins(
  tx: Tx,
  jobId: number,
  pins: readonly Pick<Pin, 'task_key' | 'children'>[],
): Promise<void> {
  const rows = pins.flatMap(({ task_key, children = [] }) =>
    children.map(({ name, task_id, task_version }) => ({
      job_id: jobId,
      task_key,
      name,
      task_id,
      task_version,
    })),
  );
  for (let at = 0; at < rows.length; at += CHILDREN_PER_INSERT)
    await tx
      .insertInto('job_task_children')
      .values(rows.slice(at, at + CHILDREN_PER_INSERT))
      .onConflict((oc) => oc.columns(['job_id', 'task_key', 'name']).doNothing())
      .execute();
}

export async function updateJob(
  tx: Tx,
  row: JobRow,
  change: {
    readonly name: string;
    readonly description: string | null;
    readonly mapping: Readonly<Record<string, number>>;
    readonly labels: Labels;
  },
  now: number,
): Promise<JobRow> {
  const labels_json = JSON.stringify(change.labels);
  if (labels_json !== row.labels_json) await writeLabels(tx, row.id, change.labels);
  return jobs.update(tx, row.id, {
    name: change.name,
    labels_json,
    description: change.description,
    connector_mapping_json: JSON.stringify(change.mapping),
    version: row.version + 1,
    updated_at: now,
  });
}

export async function updateJobStatus(
  tx: Tx,
  id: number,
  status: 'active' | 'archived',
  now: number,
): Promise<JobRow> {
  return jobs.update(tx, id, { status, updated_at: now });
}

/** An unfinished run of the job that replays dead letters; null if there is none. */
export async function selectActiveReplay(tx: Tx, jobId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('runs')
    .select('id')
    .where('job_id', '=', jobId)
    .where('job_run_id', 'is', null)
    .where(IS_ACTIVE)
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** With its triggers, backfills and dashboards. Its runs, and what else may be much, follow in the background. */
export async function deleteJob(tx: Tx, id: number, now: number): Promise<void> {
  for (const [kind, table] of [
    ['trigger', 'triggers'],
    ['backfill', 'backfills'],
  ] as const) {
    const rows = await tx.selectFrom(table).select('id').where('job_id', '=', id).execute();
    const ids = rows.map((row) => row.id);
    await markDeleted(tx, kind, ids, now);
  }
  await markDeleted(tx, 'job', [id], now);
  await jobs.remove(tx, id);
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
  return jobs.update(tx, row.id, { config_json: JSON.stringify(config), config_version: version });
}

/** Newest first; one row more than the page. */
export async function selectConfigVersions(db: Db, jobId: number, paging: Paging) {
  const query = db.selectFrom('job_config_versions').selectAll().where('job_id', '=', jobId);
  return onPage(query, paging).execute();
}

const besidesById = keptQuery((db: Db, jobId: number) =>
  db
    .selectFrom('jobs')
    .leftJoin('job_templates', 'job_templates.id', 'jobs.job_template_id')
    .leftJoin('job_tasks', (join) =>
      join.onRef('job_tasks.job_id', '=', 'jobs.id').on('job_tasks.override_yaml', 'is not', null),
    )
    .select(['job_templates.name as template_name', 'job_tasks.task_key'])
    .where('jobs.id', '=', jobId)
    .orderBy('job_tasks.task_key'),
);

/** What an answer has besides the job's own row. */
export async function selectJobBesides(
  db: Db,
  jobId: number,
): Promise<{ readonly template_name: string | null; readonly overridden_task_keys: string[] }> {
  const rows = await besidesById(db, jobId);
  return {
    template_name: rows[0]?.template_name ?? null,
    overridden_task_keys: rows.flatMap(({ task_key }) => task_key ?? []),
  };
}

/** Connectors by id, for a job's mapping. */
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
