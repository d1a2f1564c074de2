import { AppError } from '../../base/errors.ts';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/keyset.ts';
import { nameContains } from '../../store/name-contains.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { JobTemplateRow } from './job-template.ts';

export interface JobTemplateWrite {
  readonly name: string;
  readonly description: string | null;
  readonly yaml: string;
  readonly parsed: TemplateInfo;
  readonly by: string;
  readonly now: number;
}

export async function selectJobTemplate(db: Db, id: number): Promise<JobTemplateRow | null> {
  return (await db.selectFrom('job_templates').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The template, held until the transaction ends. */
export async function lockJobTemplate(tx: Tx, dialect: Dialect, id: number): Promise<JobTemplateRow | null> {
  const query = tx.selectFrom('job_templates').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export async function selectJobTemplateByName(db: Db, name: string): Promise<JobTemplateRow | null> {
  return (
    (await db.selectFrom('job_templates').selectAll().where('name', '=', name).executeTakeFirst()) ?? null
  );
}

export interface JobTemplateFilters {
  readonly status?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectJobTemplates(
  db: Db,
  filters: JobTemplateFilters,
  paging: Paging,
): Promise<JobTemplateRow[]> {
  let query = db.selectFrom('job_templates').selectAll();
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  if (filters.q !== undefined) query = query.where(nameContains(filters.q));
  return onPage(query, paging).execute();
}

/** `CONFLICT` where the name is taken. */
export async function insertJobTemplate(tx: Tx, write: JobTemplateWrite): Promise<JobTemplateRow> {
  const row = await tx
    .insertInto('job_templates')
    .values({ ...columnsOf(write), status: 'active', version: 1, created_at: write.now })
    .onConflict((oc) => oc.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw nameTaken(write.name);
  await insertVersion(tx, row.id, 1, write);
  return row;
}

export async function updateJobTemplate(
  tx: Tx,
  id: number,
  version: number,
  write: JobTemplateWrite,
): Promise<JobTemplateRow> {
  const row = await tx
    .updateTable('job_templates')
    .set({ ...columnsOf(write), version })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertVersion(tx, id, version, write);
  return row;
}

export async function updateJobTemplateStatus(
  tx: Tx,
  id: number,
  status: 'active' | 'archived',
): Promise<JobTemplateRow> {
  return tx
    .updateTable('job_templates')
    .set({ status })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteJobTemplate(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('job_templates').where('id', '=', id).execute();
}

/** Jobs made from the template; while there is one, the template cannot be deleted. */
export async function selectJobsOfTemplate(db: Db, id: number): Promise<{ id: number; name: string }[]> {
  const query = db.selectFrom('jobs').select(['id', 'name']).where('job_template_id', '=', id);
  return query.orderBy('id').execute();
}

export async function selectJobTemplateVersions(db: Db, id: number) {
  return db
    .selectFrom('job_template_versions')
    .selectAll()
    .where('job_template_id', '=', id)
    .orderBy('version', 'desc')
    .execute();
}

export async function selectJobTemplateVersion(db: Db, id: number, version: number) {
  const query = db.selectFrom('job_template_versions').selectAll();
  const row = await query.where('job_template_id', '=', id).where('version', '=', version).executeTakeFirst();
  return row ?? null;
}

function columnsOf(write: JobTemplateWrite) {
  return {
    name: write.name,
    description: write.description,
    yaml_content: write.yaml,
    parsed_json: JSON.stringify(write.parsed),
    updated_at: write.now,
    updated_by: write.by,
  };
}

async function insertVersion(tx: Tx, id: number, version: number, write: JobTemplateWrite): Promise<void> {
  await tx
    .insertInto('job_template_versions')
    .values({
      job_template_id: id,
      version,
      yaml_content: write.yaml,
      created_at: write.now,
      created_by: write.by,
    })
    .execute();
}

export function nameTaken(name: string): AppError {
  return new AppError('CONFLICT', `There is a job template "${name}" already`);
}
