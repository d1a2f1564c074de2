import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { DashboardTemplateRow } from '../dashboard-templates/dashboard-template.ts';
import type { DashboardRow } from './dashboard.ts';

/** A dashboard of a job, as far as an upgrade of the job is concerned. */
export type JobDashboard = Pick<
  DashboardRow,
  | 'id'
  | 'dashboard_template_id'
  | 'name'
  | 'description'
  | 'yaml_content'
  | 'document_json'
  | 'version'
  | 'template_version'
  | 'template_yaml_hash'
>;

export async function selectJobDashboards(db: Db, jobId: number): Promise<JobDashboard[]> {
  return db
    .selectFrom('dashboards')
    .select([
      'id',
      'dashboard_template_id',
      'name',
      'description',
      'yaml_content',
      'document_json',
      'version',
      'template_version',
      'template_yaml_hash',
    ])
    .where('job_id', '=', jobId)
    .orderBy('id')
    .execute();
}

/** The versions of a job's dashboards, held until the transaction ends. */
export async function lockJobDashboards(
  tx: Tx,
  dialect: Dialect,
  jobId: number,
): Promise<Pick<JobDashboard, 'id' | 'version' | 'template_version'>[]> {
  const query = tx.selectFrom('dashboards').select(['id', 'version', 'template_version']);
  return query.where('job_id', '=', jobId).orderBy('id').modifyEnd(dialect.forUpdate).execute();
}

/** The versions of a job template's dashboard templates, held until the transaction ends. */
export async function lockTemplatesOf(
  tx: Tx,
  dialect: Dialect,
  jobTemplateId: number,
): Promise<Pick<DashboardTemplateRow, 'id' | 'version' | 'status'>[]> {
  const query = tx.selectFrom('dashboard_templates').select(['id', 'version', 'status']);
  const ofTemplate = query.where('job_template_id', '=', jobTemplateId).orderBy('id');
  return ofTemplate.modifyEnd(dialect.forUpdate).execute();
}
