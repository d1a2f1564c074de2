import type { Store } from '../../../src/store/store.ts';
import type { TestApp } from '../../support/app.ts';
import { TASK_YAML } from './seed-job.ts';

export const DUMMY = { type: 'dummy', config: {} };
export const BOARD = 'title: Board\nwidgets:\n  - { id: head, type: heading, text: Hello }\n';
export const LOUDER = TASK_YAML.replace('hello {{', 'HELLO {{');

export interface Upgrade {
  dry_run: boolean;
  applied: boolean;
  changed: boolean;
  job_version: number;
  plan_hash: string;
  template: { from_version: number; to_version: number; diff: string };
  tasks: { key: string; action: string; override: string; diff: string }[];
  connectors: { name: string; action: string }[];
  config: { key: string; action: string; before: unknown; after: unknown }[];
  dashboards: { dashboard_id: number | null; action: string; diff: string }[];
  cursors: { task_key: string; step_id: string }[];
  problems: { path: string; message: string }[];
}

/** Everything that an upgrade may change, of all jobs. */
export async function everything(store: Store): Promise<object> {
  return {
    jobs: await store.read.selectFrom('jobs').selectAll().orderBy('id').execute(),
    pins: await store.read.selectFrom('job_tasks').selectAll().orderBy('task_key').execute(),
    configs: await store.read.selectFrom('job_config_versions').selectAll().orderBy('id').execute(),
    dashboards: await store.read.selectFrom('dashboards').selectAll().orderBy('id').execute(),
    audits: await store.read.selectFrom('audit_logs').select('id').orderBy('id').execute(),
  };
}

export async function saveTemplate(app: TestApp, id: number, yaml_content: string): Promise<void> {
  const saved = await app.as('editor').put(`/api/job-templates/${id}`, { name: 'Nightly', yaml_content });
  if (saved.status !== 200) throw new Error(saved.text);
}
