import type { ApiClient } from '../../support/api-client.ts';

export interface SharedDashboard {
  readonly id: number;
  readonly jobId: number;
  /** The path of its public link. */
  readonly path: string;
}

/** Makes a job whose dashboard is this document, and shares it. */
export async function shareDashboard(
  api: ApiClient,
  templateId: number,
  name: string,
  document: string,
  connectors: Readonly<Record<string, number>>,
): Promise<SharedDashboard> {
  await api.post(`/api/job-templates/${templateId}/dashboard-templates`, { name, yaml_content: document });
  const job = await api.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, {
    name: `Job of ${name}`,
    connector_mapping: connectors,
  });
  const { result } = await api.get<{ result: { id: number; name: string }[] }>(
    `/api/jobs/${job.id}/dashboards`,
  );
  const made = result.find((one) => one.name === name);
  if (made === undefined) throw new Error(`The job has no dashboard "${name}"`);
  const { public_url } = await api.post<{ public_url: string }>(`/api/dashboards/${made.id}/share`, {});
  return { id: made.id, jobId: job.id, path: public_url };
}
