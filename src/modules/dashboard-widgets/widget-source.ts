import type { Clock } from '../../base/clock.ts';
import { requireFound } from '../../base/errors.ts';
import type { ConnectorRef } from '../../drivers/connection-cache.ts';
import {
  chosenTexts,
  type FilterTexts,
  filterValues,
} from '../../language/dashboard/filters/filter-values.ts';
import type { Db } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { DashboardContext, DashboardSource } from '../../threads/messages/widget-calls.ts';
import { type DashboardRow, documentKey } from '../dashboards/dashboard.ts';
import { selectSharedBeside } from '../dashboards/dashboard-store.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import type { ConnectorMapping, JobRow } from '../jobs/job.ts';
import { contextOf, mappingOf } from '../jobs/job-context.ts';
import { selectJob } from '../jobs/job-store.ts';
import type { DashboardDocuments } from './dashboard-documents.ts';
import type { KnownWidget } from './known-widget.ts';

/** Connectors of a job by template name, with their secrets. */
export type ConnectorRefs = (mapping: ConnectorMapping) => Promise<Readonly<Record<string, ConnectorRef>>>;

export interface WidgetSourceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly connectorRefs: ConnectorRefs;
  readonly documents: DashboardDocuments;
}

/** A dashboard with its job, each read and parsed once for the widgets that are asked for. */
export interface WidgetSource {
  readonly row: DashboardRow;
  readonly job: JobRow;
  readonly template: TemplateInfo;
  /** Of the job, as far as these widgets use it. */
  readonly mapping: ConnectorMapping;
  /** Those of `mapping`, with their secrets. */
  readonly connectors: Readonly<Record<string, ConnectorRef>>;
  readonly context: DashboardContext;
  /** As in `DashboardSource`. */
  readonly publicEntries: readonly string[];
}

/** The job of a dashboard. `NOT_FOUND` where it has gone, and the dashboard with it. */
export async function jobOfDashboard(db: Db, row: DashboardRow): Promise<JobRow> {
  return requireFound(await selectJob(db, row.job_id), 'dashboard', row.id);
}

/**
 * Reads what these widgets of a dashboard need: its job as it is now, and their connectors with the secrets. `given`: what the viewer
 * chose, in place of the defaults; `VALIDATION_ERROR` for what the dashboard's filters do not have.
 */
export async function openWidgetSource(
  deps: WidgetSourceDeps,
  row: DashboardRow,
  widgets: readonly KnownWidget[],
  given: FilterTexts = {},
): Promise<WidgetSource> {
  const filters = deps.documents.filtersOf(row);
  const filter = filterValues(filters, chosenTexts(filters, given), deps.clock.now());
  const job = await jobOfDashboard(deps.db, row);
  const template = parsedOf(job);
  const mapping = mappingOf(job, namesUsedBy(widgets));
  const connectors = await deps.connectorRefs(mapping);
  const publicEntries = await publicEntriesBeside(deps, row, widgets);
  const context = { ...contextOf(job, template), filter };
  return { row, job, template, mapping, connectors, context, publicEntries };
}

/** Entries that people with the links of the job's other dashboards may change; none where no scope could read them. */
export async function publicEntriesBeside(
  { db, documents }: Pick<WidgetSourceDeps, 'db' | 'documents'>,
  row: DashboardRow,
  widgets: readonly KnownWidget[],
): Promise<readonly string[]> {
  if (!widgets.some(({ scope }) => JSON.stringify(scope?.filters ?? {}).includes('{{'))) return [];
  const shared = await selectSharedBeside(db, row);
  return shared.flatMap((other) => documents.publicEntriesOf(other));
}

/** What a thread needs for some of the widgets, and no more: connectors hold secrets. */
export function sourceFor(
  { row, template, connectors, context, publicEntries }: WidgetSource,
  widgets: readonly KnownWidget[],
): DashboardSource {
  return {
    documentKey: documentKey(row),
    document: row.document_json,
    connectors: connectorsFor(widgets, connectors),
    connectorNames: Object.keys(template.connectors),
    publicEntries,
    context,
  };
}

/** Equal for sources that give these widgets the same data: document, configuration, job and connectors are at the same versions. */
export function sourceKey(source: WidgetSource, widgets: readonly KnownWidget[]): string {
  const { row, job, context } = source;
  const connectors = Object.entries(connectorsFor(widgets, source.connectors));
  const versions = connectors.map(([name, { id, version }]) => [name, id, version]);
  const chosen = widgets.some(({ readsFilter }) => readsFilter) ? context.filter : null;
  return JSON.stringify([documentKey(row), context.args, job.config_version, context.job, versions, chosen]);
}

function connectorsFor(
  widgets: readonly KnownWidget[],
  connectors: DashboardSource['connectors'],
): DashboardSource['connectors'] {
  const used = namesUsedBy(widgets);
  return Object.fromEntries(Object.entries(connectors).filter(([name]) => used.includes(name)));
}

function namesUsedBy(widgets: readonly KnownWidget[]): readonly string[] {
  return [...new Set(widgets.flatMap(({ connectors }) => connectors))];
}
