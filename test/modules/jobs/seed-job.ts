import type { TestApp } from '../../support/app.ts';

export interface JobSeed {
  /** Name to type and config; each is also a connector of the template, and bound to it. */
  readonly connectors?: Readonly<Record<string, { readonly type: string; readonly config: object }>>;
  /** Sections of the template besides its tasks, as YAML. */
  readonly template?: string;
  readonly dashboards?: readonly string[];
}

export interface SeededJob {
  readonly taskId: number;
  readonly templateId: number;
  readonly jobId: number;
  readonly dashboardIds: readonly number[];
  readonly connectorIds: Readonly<Record<string, number>>;
}

export const TASK_YAML =
  'version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: "hello {{ run.id }}" }]\n';

/** A job `nightly` of one task `hello` under the key `say`, made over the API. */
export async function seedJob({ as }: TestApp, seed: JobSeed = {}): Promise<SeededJob> {
  const made = async (path: string, body: object) => {
    const answer = await as('admin').post<{ id: number; message?: string }>(path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`);
    return answer.body.id;
  };
  const connectorIds: Record<string, number> = {};
  for (const [name, connector] of Object.entries(seed.connectors ?? {}))
    connectorIds[name] = await made('/api/connectors', { name, ...connector });
  const taskId = await made('/api/tasks', { yaml_content: TASK_YAML });
  const declared = Object.entries(seed.connectors ?? {}).map(
    ([name, { type }]) => `${name}: {type: ${type}}`,
  );
  const yaml_content = `version: 1\nname: t\nconnectors: {${declared.join(', ')}}\ntasks: {say: {task: hello}}\n${seed.template ?? ''}`;
  const templateId = await made('/api/job-templates', { name: 'Nightly', yaml_content });
  for (const [index, yaml] of (seed.dashboards ?? []).entries())
    await made(`/api/job-templates/${templateId}/dashboard-templates`, {
      name: `Board ${index + 1}`,
      yaml_content: yaml,
    });
  const job = { name: 'nightly', connector_mapping: connectorIds };
  const jobId = await made(`/api/job-templates/${templateId}/jobs`, job);
  const boards = await as('viewer').get<{ result: { id: number }[] }>(`/api/jobs/${jobId}/dashboards`);
  return {
    taskId,
    templateId,
    jobId,
    connectorIds,
    dashboardIds: boards.body.result.map(({ id }) => id).reverse(),
  };
}
