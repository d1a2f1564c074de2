import type { Selectable } from 'kysely';
import type { Dialect } from '../../store/dialect.ts';
import type { Schema } from '../../store/schema.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { DashboardRow } from './dashboard.ts';
import type { Snapshot } from './dashboard-snapshot.ts';

/** A linked dashboard, and what of its job a push needs. */
export type LinkedDashboard = Pick<
  DashboardRow,
  | 'id'
  | 'job_id'
  | 'name'
  | 'description'
  | 'yaml_content'
  | 'version'
  | 'template_version'
  | 'template_yaml_hash'
> & { readonly job_name: string } & Pick<Selectable<Schema['jobs']>, 'parsed_json'>;

/** The dashboards that a template was snapshotted onto: those of `ids`, or all; the first `limit` in the order of their ids. */
export async function selectLinkedDashboards(
  db: Db,
  templateId: number,
  ids: readonly number[] | undefined,
  limit: number,
): Promise<LinkedDashboard[]> {
  let query = db
    .selectFrom('dashboards')
    .innerJoin('jobs', 'jobs.id', 'dashboards.job_id')
    .select([
      'dashboards.id',
      'dashboards.job_id',
      'dashboards.name',
      'dashboards.description',
      'dashboards.yaml_content',
      'dashboards.version',
      'dashboards.template_version',
      'dashboards.template_yaml_hash',
      'jobs.name as job_name',
      'jobs.parsed_json',
    ])
    .where('dashboard_template_id', '=', templateId)
    .orderBy('dashboards.id')
    .limit(limit);
  if (ids !== undefined) query = query.where('dashboards.id', 'in', ids);
  return query.execute();
}

/** Which of the dashboards are there and linked to the template, each with its version; held until the transaction ends. */
export async function lockLinkedVersions(
  tx: Tx,
  dialect: Dialect,
  templateId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('dashboards')
    .select(['id', 'version'])
    .where('dashboard_template_id', '=', templateId)
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
  return new Map(rows.map((row) => [row.id, row.version]));
}

/** Takes the snapshot over. The share link is no part of it and stays. */
export async function updateSnapshot(
  tx: Tx,
  id: number,
  version: number,
  snapshot: Snapshot,
  now: number,
): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({ ...snapshot, version, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Of dashboards that have the template's words already: which version of it they have. Nothing that a version counts changes. */
export async function updateSnapshotMarks(
  tx: Tx,
  ids: readonly number[],
  marks: Pick<Snapshot, 'template_version' | 'template_yaml_hash'>,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.updateTable('dashboards').set(marks).where('id', 'in', ids).execute();
}
