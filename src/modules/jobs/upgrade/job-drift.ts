import { textDiff } from '../../../base/text/text-diff.ts';
import type { Db } from '../../../store/store.ts';
import { isModified } from '../../dashboard-templates/snapshot-marks.ts';
import type { JobRow } from '../job.ts';

interface Versions {
  readonly pinned_version: number | null;
  readonly current_version: number;
  readonly drifted: boolean;
}

/** The differences between a job's snapshot and the current template, tasks and dashboard templates. */
export interface JobDrift {
  readonly drifted: boolean;
  readonly template: Versions & {
    readonly id: number;
    readonly name: string;
    /** From the job's YAML to the template's; empty if the texts are equal. */
    readonly diff: string;
  };
  readonly tasks: (Versions & {
    readonly key: string;
    readonly task_id: number;
    readonly task_name: string;
    readonly overridden: boolean;
    /** The tasks run by its `run_task` steps. */
    readonly child_tasks: readonly (Versions & { readonly task_id: number; readonly name: string })[];
  })[];
  readonly dashboards: (Versions & {
    readonly id: number;
    readonly name: string;
    readonly dashboard_template_id: number;
    /** Whether it was modified since its snapshot; null if unknown. */
    readonly modified: boolean | null;
  })[];
  /** Active dashboard templates without a dashboard in the job. */
  readonly missing_dashboards: { readonly dashboard_template_id: number; readonly name: string }[];
}

export async function selectJobDrift(db: Db, job: JobRow): Promise<JobDrift> {
  const [template, tasks, dashboards, missing] = await Promise.all([
    templateDrift(db, job),
    taskDrifts(db, job.id),
    dashboardDrifts(db, job.id),
    missingDashboards(db, job),
  ]);
  const parts = [template, ...tasks, ...tasks.flatMap((task) => task.child_tasks), ...dashboards];
  return {
    drifted: parts.some(({ drifted }) => drifted) || missing.length > 0,
    template,
    tasks,
    dashboards,
    missing_dashboards: missing,
  };
}

async function templateDrift(db: Db, job: JobRow): Promise<JobDrift['template']> {
  const row = await db
    .selectFrom('job_templates')
    .select(['id', 'name', 'version', 'yaml_content'])
    .where('id', '=', job.job_template_id)
    .executeTakeFirstOrThrow();
  const diff = textDiff(job.yaml_content, row.yaml_content, {
    from: `version ${job.template_version}`,
    to: `version ${row.version}`,
  });
  return { id: row.id, name: row.name, ...versions(job.template_version, row.version), diff };
}

async function taskDrifts(db: Db, jobId: number): Promise<JobDrift['tasks']> {
  const rows = await db
    .selectFrom('job_tasks')
    .innerJoin('tasks', 'tasks.id', 'job_tasks.task_id')
    .select(['task_key', 'task_id', 'tasks.name', 'task_version', 'tasks.version', 'override_yaml'])
    .where('job_id', '=', jobId)
    .orderBy('task_key')
    .execute();
  const children = await db
    .selectFrom('job_task_children')
    .innerJoin('tasks', 'tasks.id', 'job_task_children.task_id')
    .select([
      'task_key',
      'task_id',
      'job_task_children.name',
      'task_version as pinned',
      'tasks.version as current',
    ])
    .where('job_id', '=', jobId)
    .orderBy('job_task_children.name')
    .execute();
  const childrenOf = (key: string) => children.filter(({ task_key }) => task_key === key);
  return rows.map((row) => ({
    key: row.task_key,
    task_id: row.task_id,
    task_name: row.name,
    ...versions(row.task_version, row.version),
    overridden: row.override_yaml !== null,
    child_tasks: childrenOf(row.task_key).map(({ task_id, name, pinned, current }) => ({
      task_id,
      name,
      ...versions(pinned, current),
    })),
  }));
}

async function dashboardDrifts(db: Db, jobId: number): Promise<JobDrift['dashboards']> {
  const rows = await db
    .selectFrom('dashboards')
    .innerJoin('dashboard_templates', 'dashboard_templates.id', 'dashboards.dashboard_template_id')
    .select([
      'dashboards.id',
      'dashboards.name',
      'dashboards.yaml_content',
      'template_version',
      'template_yaml_hash',
      'dashboard_templates.id as template_id',
      'dashboard_templates.version',
    ])
    .where('dashboards.job_id', '=', jobId)
    .orderBy('dashboards.id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    dashboard_template_id: row.template_id,
    ...versions(row.template_version, row.version),
    modified: isModified(row),
  }));
}

function missingDashboards(db: Db, job: JobRow): Promise<JobDrift['missing_dashboards']> {
  return db
    .selectFrom('dashboard_templates')
    .select(['id as dashboard_template_id', 'name'])
    .where('job_template_id', '=', job.job_template_id)
    .where('status', '=', 'active')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dashboards')
            .select('dashboards.id')
            .where('dashboards.job_id', '=', job.id)
            .whereRef('dashboards.dashboard_template_id', '=', 'dashboard_templates.id'),
        ),
      ),
    )
    .orderBy('id')
    .execute();
}

function versions(pinned: number | null, current: number): Versions {
  return { pinned_version: pinned, current_version: current, drifted: pinned !== current };
}
