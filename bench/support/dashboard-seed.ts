import type { ApiClient } from '../../test/support/api-client.ts';

export interface DashboardSeed {
  /** Name to type and configuration; each is also a connector of the template, and bound to it. */
  readonly connectors: Readonly<Record<string, { readonly type: string; readonly config: object }>>;
  /** Sections of the job template besides its tasks, as YAML. */
  readonly template?: string;
  /** Each becomes one dashboard of the job. */
  readonly dashboards: readonly string[];
}

export interface SeededDashboards {
  readonly jobId: number;
  /** In the order of the seed. */
  readonly dashboardIds: readonly number[];
}

const PAGE = 100;

/** Makes one job with its dashboards, over the API as anybody would. */
export async function seedDashboards(api: ApiClient, seed: DashboardSeed): Promise<SeededDashboards> {
  const made = async (path: string, body: object) => (await api.post<{ id: number }>(path, body)).id;
  const mapping: Record<string, number> = {};
  for (const [name, connector] of Object.entries(seed.connectors))
    mapping[name] = await made('/api/connectors', { name, ...connector });
  const task = 'version: 1\nname: hello\nsteps: [{ id: say, kind: log, message: hello }]\n';
  await made('/api/tasks', { yaml_content: task });
  const declared = Object.entries(seed.connectors).map(([name, { type }]) => `${name}: { type: ${type} }`);
  const yaml = `version: 1\nname: boards\nconnectors: { ${declared.join(', ')} }\ntasks: { say: { task: hello } }\n${seed.template ?? ''}`;
  const templateId = await made('/api/job-templates', { name: 'boards', yaml_content: yaml });
  for (const [index, yaml_content] of seed.dashboards.entries())
    await made(`/api/job-templates/${templateId}/dashboard-templates`, {
      name: `Board ${index}`,
      yaml_content,
    });
  const jobId = await made(`/api/job-templates/${templateId}/jobs`, {
    name: 'boards',
    connector_mapping: mapping,
  });
  const path = `/api/jobs/${jobId}/dashboards?limit=${PAGE}`;
  const { result } = await api.get<{ result: { id: number; name: string }[] }>(path);
  const byName = new Map(result.map(({ id, name }) => [name, id]));
  const dashboardIds = seed.dashboards.map((_yaml, index) => byName.get(`Board ${index}`) ?? 0);
  return { jobId, dashboardIds };
}

/** A dashboard of these widgets, each one line of YAML. `head`: its other keys. */
export function dashboardYaml(widgets: readonly string[], head = ''): string {
  return `title: Board\n${head}widgets:\n${widgets.map((widget) => `  - ${widget}\n`).join('')}`;
}
