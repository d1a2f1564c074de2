import type { Paging } from '../../http/paging.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import { definitionColumns } from '../definitions/definition-columns.ts';
import type { DefinitionStatus, PreparedYaml, Stamp } from '../definitions/yaml-definitions.ts';
import type { DashboardTemplateRow } from './dashboard-template.ts';

const templates = recordStatements('dashboard_templates');
export const { select: selectDashboardTemplate, lock: lockDashboardTemplate } = templates;

export async function selectDashboardTemplatesOf(
  db: Db,
  jobTemplateId: number,
): Promise<DashboardTemplateRow[]> {
  const query = db.selectFrom('dashboard_templates').selectAll().where('job_template_id', '=', jobTemplateId);
  return query.orderBy('id').execute();
}

/** Those of a job template, in the order of `paging`; one row more than the page. */
export async function selectDashboardTemplates(
  db: Db,
  jobTemplateId: number,
  paging: Paging,
): Promise<DashboardTemplateRow[]> {
  return templates.page(db, paging, { job_template_id: jobTemplateId });
}

/** Dashboards of jobs made from the template. */
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
  write: PreparedYaml & Stamp & { readonly jobTemplateId: number },
): Promise<DashboardTemplateRow> {
  const fresh = { status: 'active', version: 1, created_at: write.now };
  return templates.insert(tx, {
    ...definitionColumns(write),
    ...fresh,
    job_template_id: write.jobTemplateId,
  });
}

export async function updateDashboardTemplate(
  tx: Tx,
  id: number,
  version: number,
  write: PreparedYaml & Stamp,
): Promise<DashboardTemplateRow> {
  return templates.update(tx, id, { ...definitionColumns(write), version });
}

export function updateDashboardTemplateStatus(
  tx: Tx,
  id: number,
  status: DefinitionStatus,
): Promise<DashboardTemplateRow> {
  return templates.update(tx, id, { status });
}

/** Dashboards of jobs stay; they are no longer linked. */
export async function deleteDashboardTemplate(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('dashboards')
    .set({ dashboard_template_id: null })
    .where('dashboard_template_id', '=', id)
    .execute();
  await templates.remove(tx, id);
}
