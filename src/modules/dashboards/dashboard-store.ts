import { requireFound } from '../../base/errors.ts';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { keptQuery } from '../../store/kept-query.ts';
import { onPage } from '../../store/lists/keyset.ts';
import { holding } from '../../store/lists/name-search.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { DashboardRow } from './dashboard.ts';

export interface NewDashboard {
  readonly job_id: number;
  readonly dashboard_template_id: number | null;
  readonly name: string;
  readonly description: string | null;
  readonly yaml_content: string;
  readonly document_json: string;
  readonly public_json: string;
  /** Of the template when it was snapshotted: its version, and the SHA-256 of its text. */
  readonly template_version: number | null;
  readonly template_yaml_hash: string | null;
}

export type ListedDashboard = DashboardRow & { readonly job_name: string | null };

const dashboardById = keptQuery((db: Db, id: number) =>
  db.selectFrom('dashboards').selectAll().where('id', '=', id),
);

export async function selectDashboard(db: Db, id: number): Promise<DashboardRow | null> {
  return (await dashboardById(db, id))[0] ?? null;
}

/** `NOT_FOUND` where it is not there. */
export async function requireDashboard(db: Db, id: number): Promise<DashboardRow> {
  return requireFound(await selectDashboard(db, id), 'dashboard', id);
}

/** The dashboard, held until the transaction ends. */
export async function lockDashboard(tx: Tx, dialect: Dialect, id: number): Promise<DashboardRow | null> {
  const query = tx.selectFrom('dashboards').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export interface DashboardFilters {
  readonly job_id?: number | undefined;
  /** Part of the name. */
  readonly q?: string | undefined;
}

/** In the order of `paging`, each with its job's name; one row more than the page. */
export async function selectDashboards(
  db: Db,
  { job_id, q }: DashboardFilters,
  paging: Paging,
): Promise<ListedDashboard[]> {
  let query = db
    .selectFrom('dashboards')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('jobs').select('name').whereRef('jobs.id', '=', 'dashboards.job_id').as('job_name'),
    );
  if (job_id !== undefined) query = query.where('job_id', '=', job_id);
  if (q !== undefined) query = query.where(await holding(db, 'dashboards', q));
  return onPage(query, paging).execute();
}

/** The documents of the other dashboards of a job that have a share link. */
export function selectSharedBeside(
  db: Db,
  { id, job_id }: Pick<DashboardRow, 'id' | 'job_id'>,
): Promise<Pick<DashboardRow, 'id' | 'version' | 'document_json'>[]> {
  return db
    .selectFrom('dashboards')
    .select(['id', 'version', 'document_json'])
    .where('job_id', '=', job_id)
    .where('id', '!=', id)
    .where('share_token_hash', 'is not', null)
    .execute();
}

export async function insertDashboard(tx: Tx, dashboard: NewDashboard, now: number): Promise<DashboardRow> {
  return tx
    .insertInto('dashboards')
    .values({ ...dashboard, version: 1, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateDashboard(
  tx: Tx,
  row: DashboardRow,
  change: Pick<NewDashboard, 'name' | 'description' | 'yaml_content' | 'document_json' | 'public_json'>,
  now: number,
): Promise<DashboardRow> {
  return tx
    .updateTable('dashboards')
    .set({ ...change, version: row.version + 1, updated_at: now })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteDashboard(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('dashboards').where('id', '=', id).execute();
}
