import type { Paging } from '../../http/paging.ts';
import { namedStatements, versionStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import { definitionColumns, versionColumns } from '../definitions/definition-columns.ts';
import { nameTaken } from '../definitions/record-changes.ts';
import type { DefinitionStatus, PreparedYaml, Stamp } from '../definitions/yaml-definitions.ts';
import type { JobTemplateRow } from './job-template.ts';

export interface JobTemplateWrite extends PreparedYaml, Stamp {
  readonly parsed: TemplateInfo;
}

/** What the list answers; the result of parsing is only read with a whole record. */
const HEAD = [
  'id',
  'name',
  'description',
  'status',
  'version',
  'created_at',
  'updated_at',
  'updated_by',
] as const;

const templates = namedStatements('job_templates', (row) => row, HEAD);
export const {
  select: selectJobTemplate,
  lock: lockJobTemplate,
  remove: deleteJobTemplate,
  selectNamed: selectJobTemplatesByName,
} = templates;
export const jobTemplateVersions = versionStatements('job_template_versions', 'job_template_id');

export interface JobTemplateFilters {
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectJobTemplates(
  db: Db,
  { status, q }: JobTemplateFilters,
  paging: Paging,
): Promise<JobTemplateRow[]> {
  return templates.page(db, paging, { status }, q);
}

/** `CONFLICT` where the name is taken. */
export async function insertJobTemplate(tx: Tx, write: JobTemplateWrite): Promise<JobTemplateRow> {
  const fresh = { ...columnsOf(write), status: 'active', version: 1, created_at: write.now };
  const row = await templates.insertNamed(tx, fresh);
  if (row === null) throw nameTaken('job template', write.name);
  await insertVersion(tx, row.id, 1, write);
  return row;
}

export async function updateJobTemplate(
  tx: Tx,
  id: number,
  version: number,
  write: JobTemplateWrite,
): Promise<JobTemplateRow> {
  const row = await templates.update(tx, id, { ...columnsOf(write), version });
  await insertVersion(tx, id, version, write);
  return row;
}

export function updateJobTemplateStatus(
  tx: Tx,
  id: number,
  status: DefinitionStatus,
): Promise<JobTemplateRow> {
  return templates.update(tx, id, { status });
}

/** Jobs made from the template; as long as there is one, the template cannot be deleted. */
export async function selectJobsOfTemplate(db: Db, id: number): Promise<{ id: number; name: string }[]> {
  const query = db.selectFrom('jobs').select(['id', 'name']).where('job_template_id', '=', id);
  return query.orderBy('id').execute();
}

function columnsOf(write: JobTemplateWrite) {
  return { ...definitionColumns(write), parsed_json: JSON.stringify(write.parsed) };
}

async function insertVersion(tx: Tx, id: number, version: number, write: JobTemplateWrite): Promise<void> {
  const values = { job_template_id: id, ...versionColumns(version, write) };
  await jobTemplateVersions.insert(tx, values);
}
