import { notFound } from '../../base/errors.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import type { Db } from '../../store/store.ts';
import type { DashboardSource } from '../../threads/messages/widget-calls.ts';
import { type DashboardRow, documentKey } from '../dashboards/dashboard.ts';
import type { ConnectorMapping, JobRow } from '../jobs/job.ts';
import { contextOf } from '../jobs/job-context.ts';
import { selectJob } from '../jobs/job-store.ts';

/** Connectors of a job by template name, with their secrets. */
export type ConnectorRefs = (mapping: ConnectorMapping) => Promise<Readonly<Record<string, ConnectorRef>>>;

export interface WidgetSourceDeps {
  readonly db: Db;
  readonly connectorRefs: ConnectorRefs;
}

/** A dashboard with its job, as the worker host needs them. */
export interface WidgetSource {
  readonly row: DashboardRow;
  readonly job: JobRow;
  readonly source: DashboardSource;
}

/** The job of a dashboard. `NOT_FOUND` where it has gone, and the dashboard with it. */
export async function jobOfDashboard(db: Db, row: DashboardRow): Promise<JobRow> {
  const job = await selectJob(db, row.job_id);
  if (job === null) throw notFound('dashboard', row.id);
  return job;
}

/** Reads what every widget of a dashboard needs: its job as it is now, and the connectors with their secrets. */
export async function openWidgetSource(
  { db, connectorRefs }: WidgetSourceDeps,
  row: DashboardRow,
): Promise<WidgetSource> {
  const job = await jobOfDashboard(db, row);
  const connectors = await connectorRefs(mappingOf(job));
  const source = {
    documentKey: documentKey(row),
    document: row.document_json,
    connectors,
    context: contextOf(job),
  };
  return { row, job, source };
}

export function mappingOf(job: JobRow): ConnectorMapping {
  return JSON.parse(job.connector_mapping_json) as ConnectorMapping;
}

/** Equal for sources that give the same answers: document, configuration, job and connectors are at the same versions. */
export function sourceKey({ job, source }: WidgetSource): string {
  const versions = Object.entries(source.connectors).map(([name, { id, version }]) => [name, id, version]);
  const { documentKey, context } = source;
  return JSON.stringify([documentKey, context.args, job.config_version, context.job, versions]);
}
