import { canonicalJson } from '../../src/base/json.ts';
import type { JobRunPlan } from '../../src/modules/job-runs/job-run.ts';
import { contentOf } from '../../src/modules/run-texts/run-text-store.ts';
import type { Db } from '../../src/store/store.ts';
import { refuse } from './history-records.ts';

/** What may change what a job pins, each with its row in the audit log. */
const CHANGES = ['job.upgrade', 'job.override', 'job.override_delete'] as const;

/** What jobs and versions pin, by place. */
export interface Pins {
  readonly places: ReadonlyMap<string, { readonly text: string; readonly jobId: number | null }>;
  /** How often each job had been upgraded or given another text, by id. */
  readonly changes: ReadonlyMap<number, number>;
}

/** Everything that may only change by an upgrade or an override, as it is now. */
export async function takePins(db: Db): Promise<Pins> {
  const places = new Map<string, { text: string; jobId: number | null }>();
  const keep = (place: string, text: string, jobId: number | null = null) =>
    places.set(place, { text, jobId });
  for (const job of await db.selectFrom('jobs').selectAll().execute()) {
    const { id, job_template_id, template_version, yaml_content, parsed_json } = job;
    keep(`job ${id}`, canonicalJson({ job_template_id, template_version, yaml_content, parsed_json }), id);
  }
  for (const { job_id, task_key, ...pin } of await db.selectFrom('job_tasks').selectAll().execute())
    keep(`job ${job_id}, task ${task_key}`, canonicalJson(pin), job_id);
  for (const row of await db.selectFrom('task_versions').selectAll().execute())
    keep(`task ${row.task_id}, version ${row.version}`, row.yaml_content);
  for (const row of await db.selectFrom('job_template_versions').selectAll().execute())
    keep(`job template ${row.job_template_id}, version ${row.version}`, row.yaml_content);
  const changes = new Map<number, number>();
  for (const { jobId } of await changesOf(db)) changes.set(jobId, (changes.get(jobId) ?? 0) + 1);
  return { places, changes };
}

/**
 * I6: what was pinned before is the same now, but where the audit log has an upgrade or an override of the job since; and every
 * run has the text that its job run took from the job: that of its version, or one that was an override of the node.
 */
export async function checkPins(db: Db, before: Pins): Promise<void> {
  const problems: string[] = [];
  const now = await takePins(db);
  for (const [place, { text, jobId }] of before.places) {
    const found = now.places.get(place)?.text;
    const meant = jobId !== null && (now.changes.get(jobId) ?? 0) > (before.changes.get(jobId) ?? 0);
    if (found !== text && !meant)
      problems.push(`${place}: ${found === undefined ? 'is gone' : 'has changed'}`);
  }
  const overridden = new Set(
    (await changesOf(db)).flatMap(({ action, jobId, taskKey }) =>
      action === 'job.override' ? [`${jobId} ${taskKey}`] : [],
    ),
  );
  const runs = await db
    .selectFrom('runs')
    .leftJoin('job_runs', 'job_runs.id', 'runs.job_run_id')
    .select(['runs.id', 'runs.job_id', 'runs.task_key', 'runs.task_id', 'runs.task_version'])
    .select([
      contentOf('runs.yaml_id', 'runs.yaml_content').as('yaml_content'),
      contentOf('job_runs.plan_id', 'job_runs.parsed_json').as('parsed_json'),
    ])
    .where('runs.job_id', 'is not', null)
    .execute();
  for (const run of runs) {
    const say = (text: string) => problems.push(`run ${run.id}: ${text}`);
    const plan = run.parsed_json === null ? null : (JSON.parse(run.parsed_json) as Partial<JobRunPlan>);
    const taken = plan?.pins?.[run.task_key ?? ''];
    if (taken !== undefined && taken.yaml_content !== run.yaml_content)
      say('its text is not the one that its job run took');
    if (taken !== undefined && taken.task_version !== run.task_version)
      say(`it has version ${run.task_version}, and its job run took ${taken.task_version}`);
    const pinned = now.places.get(`task ${run.task_id}, version ${run.task_version}`)?.text;
    if (run.yaml_content !== pinned && !overridden.has(`${run.job_id} ${run.task_key}`))
      say(`its text is not that of version ${run.task_version}`);
  }
  refuse('What is pinned has changed', problems);
}

async function changesOf(db: Db): Promise<{ action: string; jobId: number; taskKey: string | null }[]> {
  const rows = await db
    .selectFrom('audit_logs')
    .select(['action', 'resource_id', 'diff_json'])
    .where('action', 'in', CHANGES)
    .where('outcome', '=', 'success')
    .execute();
  return rows.map(({ action, resource_id, diff_json }) => {
    const diff = JSON.parse(diff_json ?? '{}') as { task_key?: string };
    return { action, jobId: Number(resource_id), taskKey: diff.task_key ?? null };
  });
}
