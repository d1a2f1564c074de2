import type { ApiClient } from './api-client.ts';

/** Needs no connector; simulated executors only pretend to run it. */
const TASK = (name: string, connectors = '{}') => `
version: 1
name: ${name}
connectors: ${connectors}
steps:
  - { id: say, kind: log, message: "from ${name}" }
`;

const TEMPLATE = (name: string, connectors = '{}') => `
version: 1
name: ${name}
connectors: ${connectors}
tasks:
  first: { task: ${name}_task, retry: { max_attempts: 5, delay: 1s } }
  left: { task: ${name}_task, needs: [first], retry: { max_attempts: 5, delay: 1s } }
  right: { task: ${name}_task, needs: [first], allow_failure: true }
  last: { task: ${name}_task, needs: [left, right] }
`;

export interface LoadJob {
  readonly taskId: number;
  readonly templateId: number;
  readonly jobId: number;
  /** For runs of the task by itself. */
  readonly connectors: Readonly<Record<string, number>>;
}

/** A job of four nodes, `first`, `left` and `right`, `last`, and the task that they run. */
export async function makeLoadJob(api: ApiClient, name = 'load', secret?: string): Promise<LoadJob> {
  const db = secret === undefined ? null : await makeConnector(api, secret);
  const task = await api.post<{ id: number }>('/api/tasks', {
    yaml_content: TASK(`${name}_task`, db === null ? '{}' : '{ db: { type: postgres } }'),
  });
  const template = await api.post<{ id: number }>('/api/job-templates', {
    name,
    yaml_content: TEMPLATE(name, db === null ? '{}' : '{ db: { type: postgres, required: true } }'),
  });
  const connectors: Record<string, number> = db === null ? {} : { db };
  const job = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name,
    connector_mapping: connectors,
  });
  return { taskId: task.id, templateId: template.id, jobId: job.id, connectors };
}

/** A connector that nobody connects: only its password matters. */
async function makeConnector(api: ApiClient, password: string): Promise<number> {
  const config = { host: 'db.example.com', database: 'app', user: 'app', password };
  return (await api.post<{ id: number }>('/api/connectors', { name: 'planted', type: 'postgres', config }))
    .id;
}

/** Runs of the task by itself. */
export async function startRuns(
  api: ApiClient,
  taskId: number,
  count: number,
  body: object = {},
): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++)
    ids.push((await api.post<{ id: number }>(`/api/tasks/${taskId}/runs`, body)).id);
  return ids;
}

export async function startJobRuns(api: ApiClient, jobId: number, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index++)
    ids.push((await api.post<{ id: number }>(`/api/jobs/${jobId}/runs`)).id);
  return ids;
}

/** A job of one node. */
export async function makeSmallJob(api: ApiClient, name = 'small'): Promise<LoadJob> {
  const task = await api.post<{ id: number }>('/api/tasks', { yaml_content: TASK(`${name}_task`) });
  const template = await api.post<{ id: number }>('/api/job-templates', {
    name,
    yaml_content: `version: 1\nname: ${name}\ntasks: { only: { task: ${name}_task } }\n`,
  });
  const job = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name,
    connector_mapping: {},
  });
  return { taskId: task.id, templateId: template.id, jobId: job.id, connectors: {} };
}
