import type { Db } from '../../store/store.ts';

/** The tags of what a run of this job measures, besides those of the measurement; none without a job. */
export async function selectJobNames(db: Db, jobId: number | null): Promise<Record<string, string>> {
  if (jobId === null) return {};
  const row = await db
    .selectFrom('jobs')
    .innerJoin('job_templates', 'job_templates.id', 'jobs.job_template_id')
    .select(['jobs.name as job', 'job_templates.name as template'])
    .where('jobs.id', '=', jobId)
    .executeTakeFirst();
  return { ...row };
}
