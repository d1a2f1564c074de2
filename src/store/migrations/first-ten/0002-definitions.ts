import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Definitions: connectors, tasks, templates, jobs, dashboards, triggers. */
export const createDefinitions: Migrate = (db, dialect) =>
  executeAll(db, dialect, [
    `create table connectors (
      id $id, name text not null unique, type text not null, description text, config_json text not null,
      secrets_json text not null, version bigint not null default 1, created_at bigint not null,
      updated_at bigint not null, updated_by text)`,
    `create table tasks (
      id $id, name text not null unique, description text, yaml_content text not null, status text not null,
      labels_json text not null, connectors_json text not null, version bigint not null default 1,
      created_at bigint not null, updated_at bigint not null, updated_by text)`,
    `create table task_versions (
      id $id, task_id bigint not null references tasks(id) on delete cascade, version bigint not null,
      yaml_content text not null, connectors_json text not null, created_at bigint not null, created_by text,
      unique (task_id, version))`,
    `create table job_templates (
      id $id, name text not null unique, description text, yaml_content text not null, parsed_json text not null,
      status text not null, version bigint not null default 1, created_at bigint not null,
      updated_at bigint not null, updated_by text)`,
    `create table job_template_versions (
      id $id, job_template_id bigint not null references job_templates(id) on delete cascade,
      version bigint not null, yaml_content text not null, created_at bigint not null, created_by text,
      unique (job_template_id, version))`,
    `create table dashboard_templates (
      id $id, job_template_id bigint not null references job_templates(id) on delete cascade, name text not null,
      description text, yaml_content text not null, status text not null, version bigint not null default 1,
      created_at bigint not null, updated_at bigint not null, updated_by text)`,
    `create index dashboard_templates_template on dashboard_templates (job_template_id)`,
    `create table jobs (
      id $id, job_template_id bigint not null references job_templates(id), template_version bigint not null,
      name text not null, description text, yaml_content text not null, parsed_json text not null,
      connector_mapping_json text not null, config_json text not null, config_version bigint not null default 1,
      status text not null, version bigint not null default 1, created_at bigint not null, updated_at bigint not null)`,
    `create index jobs_template on jobs (job_template_id)`,
    `create table job_tasks (
      job_id bigint not null references jobs(id) on delete cascade, task_key text not null,
      task_id bigint not null references tasks(id), task_version bigint not null, override_yaml text,
      primary key (job_id, task_key))`,
    `create index job_tasks_task on job_tasks (task_id)`,
    `create table job_config_versions (
      id $id, job_id bigint not null references jobs(id) on delete cascade, version bigint not null,
      config_json text not null, created_at bigint not null, created_by text, unique (job_id, version))`,
    `create table job_states (
      job_id bigint not null references jobs(id) on delete cascade, task_key text not null, name text not null,
      value_json text not null, version bigint not null, updated_at bigint not null,
      primary key (job_id, task_key, name))`,
    `create table dashboards (
      id $id, job_id bigint not null references jobs(id) on delete cascade, dashboard_template_id bigint,
      name text not null, description text, yaml_content text not null, document_json text not null,
      public_json text not null, share_token_hash text unique, share_token_encrypted text, share_expires_at bigint,
      version bigint not null default 1, created_at bigint not null, updated_at bigint not null)`,
    `create index dashboards_job on dashboards (job_id)`,
    `create index dashboards_template on dashboards (dashboard_template_id)`,
    `create table triggers (
      id $id, job_id bigint not null references jobs(id) on delete cascade, name text not null, cron text not null,
      timezone text not null, enabled integer not null, overlap text not null, catchup text not null,
      next_run_at bigint, last_fired_at bigint, last_run_id bigint, missed_count bigint not null default 0,
      skipped_count bigint not null default 0, version bigint not null default 1,
      created_at bigint not null, updated_at bigint not null)`,
    `create index triggers_due on triggers (enabled, next_run_at)`,
    `create index triggers_job on triggers (job_id)`,
    `create table trigger_ticks (
      trigger_id bigint not null references triggers(id) on delete cascade, scheduled_for bigint not null,
      job_run_id bigint, outcome text not null, created_at bigint not null,
      primary key (trigger_id, scheduled_for))`,
    `create table metrics_configs (
      id $id, name text not null, backend text not null, config_json text not null, enabled integer not null,
      version bigint not null default 1, created_at bigint not null, updated_at bigint not null)`,
  ]);
