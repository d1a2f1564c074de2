import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../store/store.ts';
import { type Labels, wantedLabel } from './label.ts';

/** Replaces the rows by which a job is found; its own row shows the labels. */
export async function writeLabels(tx: Tx, jobId: number, labels: Labels): Promise<void> {
  await tx.deleteFrom('job_labels').where('job_id', '=', jobId).execute();
  const rows = Object.entries(labels).map(([name, value]) => ({ job_id: jobId, name, value }));
  if (rows.length > 0) await tx.insertInto('job_labels').values(rows).execute();
}

/** Jobs with all of the labels, by the index of labels: for a list of jobs, of which those with a label may be few. */
export function jobsLabelled(id: string, labels: readonly string[]): RawBuilder<boolean>[] {
  return labels.map((text) => {
    const { name, value } = wantedLabel(text);
    const isValue = value === null ? sql`` : sql` and value = ${value}`;
    return sql<boolean>`${sql.ref(id)} in (select job_id from job_labels where name = ${name}${isValue})`;
  });
}

/** The same of rows that belong to jobs, by primary key, per row, in the order of the page: others are passed by. */
export function ofJobsLabelled(jobId: string, labels: readonly string[]): RawBuilder<boolean>[] {
  return labels.map((text) => {
    const { name, value } = wantedLabel(text);
    const found = sql`(select value from job_labels where job_id = ${sql.ref(jobId)} and name = ${name})`;
    return value === null ? sql<boolean>`${found} is not null` : sql<boolean>`${found} = ${value}`;
  });
}
