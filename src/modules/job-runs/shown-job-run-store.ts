import { sql } from 'kysely';
import { requireFound } from '../../base/errors.ts';
import type { Paging } from '../../http/paging.ts';
import { besides, narrowed, onPage } from '../../store/lists/keyset.ts';
import type { Db } from '../../store/store.ts';
import { ofJobsLabelled } from '../definitions/label-store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import { contentOf } from '../run-texts/run-text-store.ts';
import { hasStatus } from '../runs/run-status-filter.ts';
import type { ShownJobRun } from './job-run.ts';

export interface JobRunFilters {
  readonly job_id?: number | undefined;
  readonly job_template_id?: number | undefined;
  readonly trigger_id?: number | undefined;
  readonly status?: string | undefined;
  /** Of the job. */
  readonly label?: readonly string[] | undefined;
  /** RFC 3339, inclusive. */
  readonly created_from?: string | undefined;
  /** RFC 3339, exclusive. */
  readonly created_to?: string | undefined;
}

const SHOWN = [
  'id',
  'job_id',
  'trigger_id',
  'scheduled_for',
  'rerun_of',
  'status',
  'reason',
  'args_json',
  'created_at',
  'started_at',
  'ended_at',
  'created_by',
  'priority',
  'deadline_at',
  'sla_at',
  'late_at',
  'reused_json',
  'backfill_id',
  'interval_start',
  'failed_run_id',
] as const;

/** Names and failure by primary key, per row: no page reads more than its own rows. */
export function shownJobRuns(db: Db) {
  const query = db.selectFrom('job_runs').where(notOfDeletedJob('job_runs.job_id'));
  return query.select((eb) => {
    const job = eb.selectFrom('jobs').whereRef('jobs.id', '=', 'job_runs.job_id');
    const template = job.innerJoin('job_templates', 'job_templates.id', 'jobs.job_template_id');
    const trigger = eb.selectFrom('triggers').whereRef('triggers.id', '=', 'job_runs.trigger_id');
    const failed = eb.selectFrom('runs').whereRef('runs.id', '=', 'job_runs.failed_run_id');
    return [
      ...SHOWN,
      contentOf('job_runs.config_id', 'job_runs.config_json').as('config_json'),
      job.select('jobs.name').$asScalar().$notNull().as('job_name'),
      job.select('jobs.labels_json').$asScalar().$notNull().as('job_labels_json'),
      job.select('jobs.job_template_id').$asScalar().$notNull().as('job_template_id'),
      template.select('job_templates.name').$asScalar().$notNull().as('job_template_name'),
      trigger.select('triggers.name').as('trigger_name'),
      failed.select('runs.task_key').as('failed_task_key'),
      failed.select('runs.error_json').as('failed_error_json'),
    ];
  });
}

export async function selectShownJobRun(db: Db, id: number): Promise<ShownJobRun> {
  const found = await shownJobRuns(db).where('id', '=', id).executeTakeFirst();
  return requireFound(found ?? null, 'job run', id);
}

/** In the order of `paging`; one row more than the page. */
export async function selectJobRuns(db: Db, filters: JobRunFilters, paging: Paging): Promise<ShownJobRun[]> {
  const { trigger_id, job_id, job_template_id, status, label, created_from, created_to } = filters;
  // A trigger belongs to one job: it has the fewer runs.
  let query = narrowed(shownJobRuns(db), { trigger_id, job_id });
  if (status !== undefined)
    query = query.where(trigger_id === undefined ? hasStatus(status) : besides('status', status));
  if (created_from !== undefined) query = query.where('created_at', '>=', Date.parse(created_from));
  if (created_to !== undefined) query = query.where('created_at', '<', Date.parse(created_to));
  if (job_template_id !== undefined) query = query.where(isOfTemplate(job_template_id));
  for (const isLabelled of ofJobsLabelled('job_runs.job_id', label ?? [])) query = query.where(isLabelled);
  return onPage(query, paging).execute();
}

/** By the job's primary key, per row, in the order of the page: rows of other templates are passed by. */
function isOfTemplate(id: number) {
  return sql<boolean>`${id} = (select job_template_id from jobs where jobs.id = job_runs.job_id)`;
}
