import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Labels of jobs, as they are shown and as they are looked for, and receivers of events that want the jobs with some of them. */
export const addJobLabels: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `alter table jobs add column labels_json text not null default '{}'`,
    `create table job_labels (
      job_id bigint not null references jobs(id) on delete cascade, name text not null, value text not null,
      primary key (job_id, name))`,
    `create index job_labels_value on job_labels (name, value, job_id)`,
    `alter table webhooks add column labels_json text`,
  ]);
