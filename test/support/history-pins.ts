import { canonicalJson } from '../../src/base/json.ts';
import type { Db } from '../../src/store/store.ts';
import { refuse } from './history-records.ts';

/** What jobs and versions pin, by place. */
export type Pins = ReadonlyMap<string, string>;

/** Everything that may only change by an upgrade, as it is now. */
export async function takePins(db: Db): Promise<Pins> {
  const pins = new Map<string, string>();
  for (const job of await db.selectFrom('jobs').selectAll().execute()) {
    const { id, job_template_id, template_version, yaml_content, parsed_json } = job;
    pins.set(`job ${id}`, canonicalJson({ job_template_id, template_version, yaml_content, parsed_json }));
  }
  for (const { job_id, task_key, ...pin } of await db.selectFrom('job_tasks').selectAll().execute())
    pins.set(`job ${job_id}, task ${task_key}`, canonicalJson(pin));
  for (const row of await db.selectFrom('task_versions').selectAll().execute())
    pins.set(`task ${row.task_id}, version ${row.version}`, row.yaml_content);
  for (const row of await db.selectFrom('job_template_versions').selectAll().execute())
    pins.set(`job template ${row.job_template_id}, version ${row.version}`, row.yaml_content);
  return pins;
}

/** I6: what was pinned before is the same now, and every run of a job has the text that its job pins. */
export async function checkPins(db: Db, before: Pins): Promise<void> {
  const problems: string[] = [];
  const now = await takePins(db);
  for (const [place, value] of before) {
    const found = now.get(place);
    if (found !== value) problems.push(`${place}: ${found === undefined ? 'is gone' : 'has changed'}`);
  }
  const runs = await db
    .selectFrom('runs')
    .innerJoin('job_tasks', (join) =>
      join.onRef('job_tasks.job_id', '=', 'runs.job_id').onRef('job_tasks.task_key', '=', 'runs.task_key'),
    )
    .select(['runs.id', 'runs.yaml_content', 'runs.task_version', 'job_tasks.task_id', 'override_yaml'])
    .execute();
  for (const run of runs) {
    const pinned = now.get(`task ${run.task_id}, version ${run.task_version}`);
    if (run.yaml_content !== pinned && run.yaml_content !== run.override_yaml)
      problems.push(`run ${run.id}: its text is not that of version ${run.task_version}`);
  }
  refuse('What is pinned has changed', problems);
}
