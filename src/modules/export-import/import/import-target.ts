import type { RawBuilder } from 'kysely';
import { canonicalJson } from '../../../base/json.ts';
import type { Db } from '../../../store/store.ts';
import type { ConnectorRow } from '../../connectors/connector.ts';
import type { DashboardTemplateRow } from '../../dashboard-templates/dashboard-template.ts';
import type { JobTemplateRow } from '../../job-templates/job-template.ts';
import type { TaskRecord } from '../../tasks/task.ts';
import {
  selectConnectorsWanted,
  selectConnectorTypes,
  selectDashboardsOfTemplates,
  selectTasksWanted,
  selectTemplatesWanted,
  unlocked,
} from '../bundle-store.ts';

/** Every name that a plan reads. */
export interface TargetNames {
  readonly connectors: readonly string[];
  readonly tasks: readonly string[];
  readonly templates: readonly string[];
}

/** The existing definitions with those names. */
export interface Target {
  readonly connectors: ReadonlyMap<string, ConnectorRow>;
  readonly tasks: ReadonlyMap<string, TaskRecord>;
  readonly templates: ReadonlyMap<string, JobTemplateRow>;
  /** By the id of their job template. */
  readonly dashboards: ReadonlyMap<number, readonly DashboardTemplateRow[]>;
  /** The types of saved connectors. */
  readonly connectorTypes: readonly string[];
}

/**
 * Reads them, and with `lock` locks them until the transaction ends: templates before tasks before connectors, each by id, in
 * the same order as the creation of a job.
 */
export async function readTarget(
  db: Db,
  names: TargetNames,
  lock: RawBuilder<unknown> = unlocked,
): Promise<Target> {
  const templates = await selectTemplatesWanted(db, { by: 'name', values: names.templates }, lock);
  const ids = templates.map((template) => template.id);
  const dashboards = await selectDashboardsOfTemplates(db, ids, lock);
  const tasks = await selectTasksWanted(db, { by: 'name', values: names.tasks }, lock);
  const connectors = await selectConnectorsWanted(db, { by: 'name', values: names.connectors }, lock);
  return {
    connectors: byName(connectors),
    tasks: byName(tasks),
    templates: byName(templates),
    dashboards: Map.groupBy(dashboards, (row) => row.job_template_id),
    connectorTypes: await selectConnectorTypes(db),
  };
}

/**
 * One text per state of everything a plan read: versions grow with every change, and ids distinguish a record from its
 * successor.
 */
export function marksOf(target: Target): string {
  const marks = (rows: Iterable<{ readonly id: number; readonly name: string; readonly version: number }>) =>
    [...rows].map(({ id, name, version }) => [id, name, version]).sort(([a], [b]) => Number(a) - Number(b));
  return canonicalJson([
    marks(target.connectors.values()),
    marks(target.tasks.values()),
    marks(target.templates.values()),
    marks([...target.dashboards.values()].flat()),
    target.connectorTypes,
  ]);
}

function byName<T extends { readonly name: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [row.name, row]));
}
