import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages.ts';
import type { JobRunPlan, JobRunRow, JobRunStatus, NodePin } from './job-run.ts';

export interface NewJobRun {
  readonly job_id: number;
  readonly trigger_id: number | null;
  readonly scheduled_for: number | null;
  readonly rerun_of: number | null;
  readonly reason: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly config: Readonly<Record<string, unknown>>;
  readonly plan: JobRunPlan;
  readonly created_by: string;
}

export async function insertJobRun(tx: Tx, run: NewJobRun, now: number): Promise<JobRunRow> {
  const { args, config, plan, ...rest } = run;
  return tx
    .insertInto('job_runs')
    .values({
      ...rest,
      status: 'queued',
      args_json: JSON.stringify(args),
      config_json: JSON.stringify(config),
      parsed_json: JSON.stringify(plan),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function selectJobRun(db: Db, id: number): Promise<JobRunRow | null> {
  return (await db.selectFrom('job_runs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Locks the job run: of two nodes that end at once, the second sees what the first has done. */
export async function lockJobRun(tx: Tx, dialect: Dialect, id: number): Promise<JobRunRow | null> {
  const query = tx.selectFrom('job_runs').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export interface JobRunFilters {
  readonly job_id?: number | undefined;
  readonly status?: string | undefined;
}

/** All but the plan, which may be long. */
const LISTED = [
  'id',
  'job_id',
  'trigger_id',
  'scheduled_for',
  'rerun_of',
  'status',
  'reason',
  'args_json',
  'config_json',
  'created_at',
  'started_at',
  'ended_at',
  'created_by',
] as const;

/** Newest first; one row more than the page. */
export async function selectJobRuns(
  db: Db,
  filters: JobRunFilters,
  paging: Paging,
): Promise<Omit<JobRunRow, 'parsed_json'>[]> {
  let query = db
    .selectFrom('job_runs')
    .select(LISTED)
    .orderBy('id', 'desc')
    .limit(paging.limit + 1);
  if (paging.after !== null) query = query.where('id', '<', paging.after);
  if (filters.job_id !== undefined) query = query.where('job_id', '=', filters.job_id);
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  return query.execute();
}

export async function selectActiveJobRuns(db: Db, jobId: number): Promise<JobRunRow[]> {
  return db
    .selectFrom('job_runs')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('status', 'in', ['queued', 'running', 'cancelling'])
    .orderBy('id')
    .execute();
}

/** The first task of the job run has started. */
export async function markJobRunStarted(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('job_runs')
    .set({ status: 'running', started_at: now })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute();
}

export async function markJobRunCancelling(tx: Tx, id: number, reason: string): Promise<void> {
  await tx
    .updateTable('job_runs')
    .set({ status: 'cancelling', reason })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute();
}

export async function endJobRun(tx: Tx, id: number, status: JobRunStatus, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('job_runs')
    .set((eb) => ({ status, ended_at: now, started_at: eb.fn.coalesce('started_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running', 'cancelling'])
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteJobRun(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('job_runs').where('id', '=', id).execute();
}

/**
 * What the nodes of a job run, by its pins: the version's text, or the job's own override of it. Which connectors an
 * override declares is not stored; it is offered all that the template has for it.
 */
export async function selectPins(
  db: Db,
  jobId: number,
  parsed: TemplateInfo,
): Promise<Record<string, NodePin>> {
  const rows = await db
    .selectFrom('job_tasks')
    .innerJoin('tasks', 'tasks.id', 'job_tasks.task_id')
    .innerJoin('task_versions', (join) =>
      join
        .onRef('task_versions.task_id', '=', 'job_tasks.task_id')
        .onRef('task_versions.version', '=', 'job_tasks.task_version'),
    )
    .select([
      'job_tasks.task_key',
      'job_tasks.task_id',
      'job_tasks.task_version',
      'job_tasks.override_yaml',
      'tasks.name as task_name',
      'tasks.labels_json',
      'task_versions.yaml_content',
      'task_versions.connectors_json',
    ])
    .where('job_tasks.job_id', '=', jobId)
    .execute();
  const pins: Record<string, NodePin> = {};
  for (const row of rows) {
    pins[row.task_key] = {
      task_id: row.task_id,
      task_name: row.task_name,
      task_version: row.task_version,
      yaml_content: row.override_yaml ?? row.yaml_content,
      connectors:
        row.override_yaml === null
          ? (JSON.parse(row.connectors_json) as NodePin['connectors'])
          : offeredConnectors(parsed, row.task_key),
      labels: JSON.parse(row.labels_json) as NodePin['labels'],
    };
  }
  return pins;
}

function offeredConnectors(parsed: TemplateInfo, key: string): NodePin['connectors'] {
  const offered: Record<string, { type: string }> = {};
  for (const [name, { type }] of Object.entries(parsed.connectors)) offered[name] = { type };
  const node = parsed.tasks.find((task) => task.key === key);
  for (const [local, name] of Object.entries(node?.connectors ?? {})) {
    const declared = parsed.connectors[name];
    if (declared !== undefined) offered[local] = { type: declared.type };
  }
  return offered;
}
