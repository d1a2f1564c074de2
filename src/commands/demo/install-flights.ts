import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../api-client.ts';
import { examplesPath } from './demo-folder.ts';
import type { SourceFiles } from './source-files.ts';

const TASKS = ['load-airports', 'load-flights', 'daily-summary'] as const;

/** What was made on the server. */
export interface FlightsJob {
  readonly jobId: number;
  /** Path of the page that anybody with the link may read. */
  readonly sharePath: string;
  readonly tasks: number;
}

interface Identified {
  readonly id: number;
}

/**
 * Creates connectors, tasks, template, dashboard, job, nightly trigger and share link from the YAML of `examples/flights`, each
 * by one call of the API. Throws `ApiCallError`.
 */
export async function installFlights(
  api: ApiClient,
  sources: SourceFiles,
  warehousePath: string,
): Promise<FlightsJob> {
  const connector = async (name: string, type: string, path: string) =>
    (await api.post<Identified>('/api/connectors', { name, type, config: { path } })).id;
  const connector_mapping = {
    airports_csv: await connector('Airports (CSV)', 'csv', sources.airportsPath),
    flights_parquet: await connector('Flights (Parquet)', 'parquet', sources.flightsPath),
    warehouse: await connector('Warehouse', 'sqlite', warehousePath),
  };
  for (const task of TASKS) await api.post('/api/tasks', { yaml_content: await yamlOf(`${task}.task`) });
  const template = await api.post<Identified>('/api/job-templates', {
    name: 'flights',
    yaml_content: await yamlOf('flights.template'),
  });
  // Before the job: a job takes the dashboards that its template has when it is created.
  await api.post(`/api/job-templates/${template.id}/dashboard-templates`, {
    name: 'Flights',
    yaml_content: await yamlOf('flights.dashboard'),
  });
  const job = await api.post<Identified>(`/api/job-templates/${template.id}/jobs`, {
    name: 'US flights 2001',
    description: 'Flights and airports from files, summed up for a shared page',
    connector_mapping,
  });
  const nightly = { name: 'nightly', cron: '0 3 * * *', timezone: 'UTC', enabled: true };
  await api.post(`/api/jobs/${job.id}/triggers`, nightly);
  const dashboards = await api.get<{ result: readonly Identified[] }>(`/api/jobs/${job.id}/dashboards`);
  const dashboardId = dashboards.result[0]?.id;
  const link = await api.post<{ public_url: string }>(`/api/dashboards/${dashboardId}/share`);
  return { jobId: job.id, sharePath: link.public_url, tasks: TASKS.length };
}

function yamlOf(name: string): Promise<string> {
  return readFile(join(examplesPath, `${name}.yaml`), 'utf8');
}
