import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * The parsed declarations of a job's task overrides, so that a start parses nothing; the labels of each version of a task, so
 * that a job keeps the pinned ones. Labels of older versions are unknown: null.
 */
export const addTaskOverrides: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table job_tasks add column override_info_json text`,
    `alter table task_versions add column labels_json text`,
    `update task_versions set labels_json = (
      select labels_json from tasks where tasks.id = task_versions.task_id and tasks.version = task_versions.version)`,
  ]);
