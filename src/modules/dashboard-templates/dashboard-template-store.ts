import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/keyset.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { DashboardTemplateRow } from './dashboard-template.ts';

export interface DashboardTemplateWrite {
  readonly name: string;
  readonly description: string | null;
  readonly yaml: string;
  readonly by: string;
  readonly now: number;
}

export async function selectDashboardTemplate(db: Db, id: number): Promise<DashboardTemplateRow | null> {
  return (
    (await db.selectFrom('dashboard_templates').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
  );
}

/** The template, held until the transaction ends. */
export async function lockDashboardTemplate(
  tx: Tx,
  dialect: Dialect,
  id: number,
): Promise<DashboardTemplateRow | null> {
  const query = tx.selectFrom('dashboard_templates').selectAll().where('id', '=', id);
  return (await query.modifyEnd(dialect.forUpdate).executeTakeFirst()) ?? null;
}

export async function selectDashboardTemplatesOf(
  db: Db,
  jobTemplateId: number,
): Promise<DashboardTemplateRow[]> {
  return db
    .selectFrom('dashboard_templates')
    .selectAll()
    .where('job_template_id', '=', jobTemplateId)
    .orderBy('id')
    .execute();
}

/** Those of a job template, in the order of `paging`; one row more than the page. */
export async function selectDashboardTemplates(
  db: Db,
  jobTemplateId: number,
  paging: Paging,
): Promise<DashboardTemplateRow[]> {
  const query = db.selectFrom('dashboard_templates').selectAll().where('job_template_id', '=', jobTemplateId);
  return onPage(query, paging).execute();
}

/** Dashboards of jobs that were made from the template. */
export async function countLinkedDashboards(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('dashboards')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dashboard_template_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertDashboardTemplate(
  tx: Tx,
  jobTemplateId: number,
  write: DashboardTemplateWrite,
): Promise<DashboardTemplateRow> {
  return tx
    .insertInto('dashboard_templates')
    .values({
      ...columnsOf(write),
      job_template_id: jobTemplateId,
      status: 'active',
      version: 1,
      created_at: write.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateDashboardTemplate(
  tx: Tx,
  id: number,
  version: number,
  write: DashboardTemplateWrite,
): Promise<DashboardTemplateRow> {
  return tx
    .updateTable('dashboard_templates')
    .set({ ...columnsOf(write), version })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateDashboardTemplateStatus(
  tx: Tx,
  id: number,
  status: 'active' | 'archived',
): Promise<DashboardTemplateRow> {
  return tx
    .updateTable('dashboard_templates')
    .set({ status })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Dashboards of jobs stay; they are no longer linked. */
export async function deleteDashboardTemplate(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({ dashboard_template_id: null })
    .where('dashboard_template_id', '=', id)
    .execute();
  await tx.deleteFrom('dashboard_templates').where('id', '=', id).execute();
}

function columnsOf(write: DashboardTemplateWrite) {
  return {
    name: write.name,
    description: write.description,
    yaml_content: write.yaml,
    updated_at: write.now,
    updated_by: write.by,
  };
}
