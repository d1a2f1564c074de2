import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
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
}

export async function selectDashboard(db: Db, id: number): Promise<DashboardRow | null> {
  return (await db.selectFrom('dashboards').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The dashboard, held until the transaction ends. */
export async function lockDashboard(tx: Tx, dialect: Dialect, id: number): Promise<DashboardRow | null> {
  const query = tx.selectFrom('dashboards').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export async function selectDashboardByShare(db: Db, tokenHash: string): Promise<DashboardRow | null> {
  const query = db.selectFrom('dashboards').selectAll().where('share_token_hash', '=', tokenHash);
  return (await query.executeTakeFirst()) ?? null;
}

/** Newest first; one row more than the page. */
export async function selectDashboards(
  db: Db,
  filters: { readonly job_id?: number | undefined },
  paging: Paging,
): Promise<DashboardRow[]> {
  let query = db
    .selectFrom('dashboards')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(paging.limit + 1);
  if (paging.after !== null) query = query.where('id', '<', paging.after);
  if (filters.job_id !== undefined) query = query.where('job_id', '=', filters.job_id);
  return query.execute();
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

export interface Share {
  readonly hash: string;
  readonly sealed: string;
  readonly expiresAt: number | null;
}

/** Null revokes. The version stays: a link is no part of the definition. */
export async function updateShare(tx: Tx, id: number, share: Share | null): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({
      share_token_hash: share?.hash ?? null,
      share_token_encrypted: share?.sealed ?? null,
      share_expires_at: share?.expiresAt ?? null,
    })
    .where('id', '=', id)
    .execute();
}

export async function updateShareExpiry(tx: Tx, id: number, expiresAt: number | null): Promise<void> {
  await tx.updateTable('dashboards').set({ share_expires_at: expiresAt }).where('id', '=', id).execute();
}
