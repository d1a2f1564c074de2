import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../client/create-client.ts';
import { DemoError } from './demo-error.ts';
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

/**
 * Creates connectors, tasks, template, dashboard, job, nightly trigger and share link from the YAML of `examples/flights`, each
 * by one call of the API. Throws `ApiError`.
 */
export async function installFlights(
  api: Client,
  sources: SourceFiles,
  warehousePath: string,
): Promise<FlightsJob> {
  const connector = async (name: string, type: string, path: string) =>
    (await api.POST('/api/connectors', { body: { name, type, config: { path } } })).id;
  const connector_mapping = {
    airports_csv: await connector('Airports (CSV)', 'csv', sources.airportsPath),
    flights_parquet: await connector('Flights (Parquet)', 'parquet', sources.flightsPath),
    warehouse: await connector('Warehouse', 'sqlite', warehousePath),
  };
  for (const task of TASKS)
    await api.POST('/api/tasks', { body: { yaml_content: await yamlOf(`${task}.task`) } });
  const template = await api.POST('/api/job-templates', {
    body: { name: 'flights', yaml_content: await yamlOf('flights.template') },
  });
  const ofTemplate = { params: { path: { id: template.id } } };
  // Before the job: a job takes the dashboards that its template has when it is created.
  await api.POST('/api/job-templates/{id}/dashboard-templates', {
    ...ofTemplate,
    body: { name: 'Flights', yaml_content: await yamlOf('flights.dashboard') },
  });
  const job = await api.POST('/api/job-templates/{id}/jobs', {
    ...ofTemplate,
    body: {
      name: 'US flights 2001',
      description: 'Flights and airports from files, summed up for a shared page',
      connector_mapping,
    },
  });
  const ofJob = { params: { path: { id: job.id } } };
  const nightly = { name: 'nightly', cron: '0 3 * * *', timezone: 'UTC', enabled: true };
  await api.POST('/api/jobs/{id}/triggers', { ...ofJob, body: nightly });
  const [dashboard] = (await api.GET('/api/jobs/{id}/dashboards', ofJob)).result;
  if (dashboard === undefined) throw new DemoError('The job has no dashboard');
  const link = await api.POST('/api/dashboards/{id}/share', {
    params: { path: { id: dashboard.id } },
    body: {},
  });
  return { jobId: job.id, sharePath: link.public_url, tasks: TASKS.length };
}

function yamlOf(name: string): Promise<string> {
  return readFile(join(examplesPath, `${name}.yaml`), 'utf8');
}
