import { sql } from 'kysely';
import type { Db } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';

/** A job with the version of a task that it pins, as a node or as what a step of one runs. */
export interface TaskPin {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly task_key: string;
  readonly task_version: number;
}

/** A job template whose nodes run a task. */
export interface TaskTemplate {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly task_keys: readonly string[];
}

/** Newest job first, at most `limit` pins. */
export async function selectTaskPins(db: Db, taskId: number, limit: number): Promise<TaskPin[]> {
  const { rows } = await sql<TaskPin>`select jobs.id, jobs.name, jobs.status, pins.task_key, pins.task_version
    from (select job_id, task_key, task_version from job_tasks where task_id = ${taskId}
      union select job_id, task_key, task_version from job_task_children where task_id = ${taskId}) as pins
    join jobs on jobs.id = pins.job_id
    where ${notOfDeletedJob('jobs.id')}
    order by jobs.id desc, pins.task_key limit ${limit}`.execute(db);
  return rows;
}

/** Newest template first, at most `limit`. A template names its tasks: it has no version of them. */
export async function selectTaskTemplates(db: Db, taskName: string, limit: number): Promise<TaskTemplate[]> {
  const rows = await db
    .selectFrom('job_templates')
    .select(['id', 'name', 'status', 'parsed_json'])
    .orderBy('id', 'desc')
    .execute();
  return rows
    .map(({ parsed_json, ...template }) => {
      const { tasks } = JSON.parse(parsed_json) as TemplateInfo;
      return { ...template, task_keys: tasks.filter(({ task }) => task === taskName).map(({ key }) => key) };
    })
    .filter(({ task_keys }) => task_keys.length > 0)
    .slice(0, limit);
}
