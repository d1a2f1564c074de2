import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * Tasks that `run_task` steps run: the names of them that a text has (null: none), the versions that the nodes of a job pin, the texts
 * that a run runs, and the task of a dead letter, where it is not the run's own.
 */
export const addRunTasks: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table tasks add column runs_json text`,
    `alter table task_versions add column runs_json text`,
    `create table job_task_children (
      job_id bigint not null, task_key text not null, name text not null,
      task_id bigint not null references tasks(id), task_version bigint not null,
      primary key (job_id, task_key, name),
      foreign key (job_id, task_key) references job_tasks(job_id, task_key) on delete cascade)`,
    `create index job_task_children_task on job_task_children (task_id)`,
    `alter table runs add column tasks_id bigint`,
    `create index runs_tasks on runs (tasks_id) where tasks_id is not null`,
    `alter table dead_letters add column task_name text`,
  ]);
