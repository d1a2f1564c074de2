import { sql } from 'kysely';
import { RUN_END_STATUSES } from '../../base/run-report.ts';
import type { Db } from '../../store/store.ts';
import { ofJobsLabelled } from '../definitions/label-store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import type { ShownJobRun } from '../job-runs/job-run.ts';
import { shownJobRuns } from '../job-runs/shown-job-run-store.ts';
import { hasStatus } from '../runs/run-status-filter.ts';

/** What belongs to jobs, and only to those with all of these labels; none: to any. */
type JobLabels = readonly string[];

/** The conditions that follow others. */
function andLabelled(jobId: string, labels: JobLabels) {
  return sql.join([sql``, ...ofJobsLabelled(jobId, labels)], sql` and `);
}

/** Those that have begun and not ended, newest first. */
export async function selectRunningJobRuns(db: Db, labels: JobLabels, limit: number): Promise<ShownJobRun[]> {
  const isOfJobs = andLabelled('job_runs.job_id', labels);
  const running = sql<boolean>`${hasStatus('running')}${isOfJobs}`;
  return shownJobRuns(db).where(running).orderBy('id', 'desc').limit(limit).execute();
}

/** Those that have ended, the newest job runs first. */
export async function selectEndedJobRuns(db: Db, labels: JobLabels, limit: number): Promise<ShownJobRun[]> {
  const isOfJobs = andLabelled('job_runs.job_id', labels);
  // The newest of each status by the index of it: those in the queue, however many, are not walked.
  const newest = RUN_END_STATUSES.map(
    (status) => sql`select * from (
      select id from job_runs where ${hasStatus(status)}${isOfJobs} order by id desc limit ${limit}) as newest`,
  );
  return shownJobRuns(db)
    .where(sql<boolean>`job_runs.id in (${sql.join(newest, sql` union all `)})`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Of each job whose last run that ended well or badly was a failure, and began not before `since`: that run, newest first. A job that
 * has run well afterwards is well again.
 */
export async function selectFailingJobRuns(
  db: Db,
  labels: JobLabels,
  since: number,
  limit: number,
): Promise<ShownJobRun[]> {
  const isLast = sql<boolean>`not exists (
    select 1 from job_runs later
    where later.job_id = job_runs.job_id and later.id > job_runs.id
      and later.status in ('success', 'warning', 'error', 'cancelled', 'skipped')
      and later.status in ('success', 'warning', 'error'))`;
  return shownJobRuns(db)
    .where(sql<boolean>`${hasStatus('error')}${andLabelled('job_runs.job_id', labels)}`)
    .where('created_at', '>=', since)
    .where(isLast)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Those past their SLA that go on, the longest overdue first. */
export async function selectLateJobRuns(db: Db, labels: JobLabels, limit: number): Promise<ShownJobRun[]> {
  const isLate = sql<boolean>`status in ('queued', 'running', 'cancelling') and late_at is not null`;
  return shownJobRuns(db)
    .where(sql<boolean>`${isLate}${andLabelled('job_runs.job_id', labels)}`)
    .orderBy('sla_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export interface LateRule {
  readonly now: number;
  /** A time that is past for so long should have started its run. */
  readonly firedAfterMs: number;
  /** A run that is in the queue for so long should have started. */
  readonly startedAfterMs: number;
}

/** When what should have run is late. */
export const LATE_AFTER: Omit<LateRule, 'now'> = { firedAfterMs: 60_000, startedAfterMs: 5 * 60_000 };

export interface LateTrigger {
  readonly id: number;
  readonly name: string;
  readonly job_id: number;
  readonly job_name: string;
  readonly job_template_id: number;
  readonly labels_json: string;
  readonly due_at: number;
  readonly job_run_id: number | null;
  readonly reason: 'not_fired' | 'not_started' | 'paused';
}

/** Triggers whose last run should have been: the longest overdue first. */
export async function selectLateTriggers(
  db: Db,
  labels: JobLabels,
  rule: LateRule,
  limit: number,
): Promise<LateTrigger[]> {
  const { now, firedAfterMs, startedAfterMs } = rule;
  const { rows } = await sql<LateTrigger>`
    select late.*, jobs.name as job_name, jobs.job_template_id, jobs.labels_json from (
      select id, name, job_id, next_run_at + delay_ms as due_at, null as job_run_id, 'not_fired' as reason
        from triggers where enabled = 1 and next_run_at + delay_ms < ${now - firedAfterMs}
      union all
      select id, name, job_id, coalesce(paused_at, updated_at), last_run_id, 'paused'
        from triggers where enabled = 0 and paused_reason is not null
      union all
      select triggers.id, triggers.name, triggers.job_id, waiting.created_at, waiting.id, 'not_started'
        from job_runs waiting join triggers on triggers.id = waiting.trigger_id and triggers.last_run_id = waiting.id
        where waiting.status in ('queued', 'running', 'cancelling') and waiting.status = 'queued'
          and waiting.created_at < ${now - startedAfterMs}
    ) as late join jobs on jobs.id = late.job_id
    where ${notOfDeletedJob('late.job_id')} and jobs.status = 'active'${andLabelled('late.job_id', labels)}
    order by due_at, late.id limit ${limit}`.execute(db);
  return rows;
}

export interface NextTrigger {
  readonly id: number;
  readonly name: string;
  readonly job_id: number;
  readonly job_name: string;
  readonly due_at: number;
}

/** Triggers by when they fire next. */
export async function selectNextTriggers(
  db: Db,
  labels: JobLabels,
  now: number,
  limit: number,
): Promise<NextTrigger[]> {
  const { rows } = await sql<NextTrigger>`
    select triggers.id, triggers.name, job_id, jobs.name as job_name, next_run_at + delay_ms as due_at
      from triggers join jobs on jobs.id = triggers.job_id
    where enabled = 1 and next_run_at + delay_ms >= ${now} and jobs.status = 'active' and ${notOfDeletedJob('job_id')}
      ${andLabelled('triggers.job_id', labels)}
    order by next_run_at + delay_ms, triggers.id limit ${limit}`.execute(db);
  return rows;
}

/** Open dead letters, newest first, with the job and task of their runs. */
export async function selectNewestLetters(db: Db, labels: JobLabels, limit: number) {
  return db
    .selectFrom('dead_letters')
    .innerJoin('runs', 'runs.id', 'dead_letters.run_id')
    .leftJoin('jobs', 'jobs.id', 'dead_letters.job_id')
    .select([
      'dead_letters.id',
      'dead_letters.run_id',
      'dead_letters.job_id',
      'jobs.name as job_name',
      'runs.task_name',
      'dead_letters.step_id',
      'dead_letters.code',
      'dead_letters.message',
      'dead_letters.created_at',
    ])
    .where(sql<boolean>`dead_letters.status = 'open'${andLabelled('dead_letters.job_id', labels)}`)
    .where(notOfDeletedJob('dead_letters.job_id'))
    .orderBy('dead_letters.id', 'desc')
    .limit(limit)
    .execute();
}
