import type { Test } from 'tap';
import type { Store } from '../../../src/store/store.ts';
import type { WorkerPool } from '../../../src/threads/worker-pool.ts';
import { createDefinitionsApp, type DefinitionsOptions, type Refusal } from '../jobs/definitions-app.ts';
import { TASK_YAML } from '../jobs/seed-job.ts';

/** A dashboard that shows the argument `REGION` of its job. */
export const yamlOf = (title: string, more = '') =>
  `title: ${title}\nwidgets:\n  - { id: h, type: heading, text: "Sales of \${REGION}" }\n${more}`;
export const jobTemplate = (region: string, more = '') =>
  `version: 1\nname: t\nargs: { REGION: { type: string, default: ${region} }${more} }\ntasks: { say: { task: hello } }\n`;

export interface PushItem {
  dashboard_id: number;
  job_id: number;
  job_name: string;
  name: string;
  action: string;
  modified: boolean | null;
  from_version: number | null;
  to_version: number;
  diff: string;
  problems: { message: string }[];
}
type Push = { dry_run: boolean; items: PushItem[] };
export type Board = {
  id: number;
  yaml_content: string;
  version: number;
  template_version: number;
  modified: boolean;
};

/** A job template of one dashboard template, and two jobs: `north`, made when the region was north, and `south`. */
export async function pushScene(t: Test, store: Store, pool: WorkerPool, options: DefinitionsOptions = {}) {
  const app = await createDefinitionsApp(t, store, pool, options);
  const editor = app.as('editor');
  const made = async (path: string, body: object) => {
    const answer = await editor.post<{ id: number }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  await made('/api/tasks', { yaml_content: TASK_YAML });
  const templateId = await made('/api/job-templates', { name: 'T', yaml_content: jobTemplate('north') });
  const boardId = await made(`/api/job-templates/${templateId}/dashboard-templates`, {
    name: 'Board',
    yaml_content: yamlOf('One'),
  });
  const jobOf = (name: string) =>
    made(`/api/job-templates/${templateId}/jobs`, { name, connector_mapping: {} });
  const north = await jobOf('north');
  await editor.put(`/api/job-templates/${templateId}`, { name: 'T', yaml_content: jobTemplate('south') });
  const south = await jobOf('south');
  const dashboardOf = async (job: number) => {
    const list = await editor.get<{ result: Board[] }>(`/api/jobs/${job}/dashboards`);
    return list.body.result[0] as Board;
  };
  const ids = [(await dashboardOf(north)).id, (await dashboardOf(south)).id] as const;
  const path = `/api/dashboard-templates/${boardId}`;
  return {
    app,
    editor,
    templateId,
    path,
    ids,
    jobs: [north, south] as const,
    jobOf,
    get: async (id: number) => (await editor.get<Board & { document: object }>(`/api/dashboards/${id}`)).body,
    push: (body?: object) => editor.post<Push & Refusal>(`${path}/push`, body),
    change: (yaml: string, name = 'Board') => editor.put(path, { name, yaml_content: yaml }),
    edit: (id: number, yaml: string) =>
      editor.put(`/api/dashboards/${id}`, { name: 'Board', yaml_content: yaml }),
    auditOf: async () =>
      (
        await store.read
          .selectFrom('audit_logs')
          .selectAll()
          .where('action', 'like', '%push')
          .orderBy('id')
          .execute()
      ).map((row) => [row.action, row.resource_id, JSON.parse(row.diff_json ?? 'null')]),
  };
}
