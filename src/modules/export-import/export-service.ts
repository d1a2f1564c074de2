import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem, validationError } from '../../base/errors.ts';
import type { Bundle, BundleTemplate } from '../../language/bundle/bundle.ts';
import { BUNDLE_LIMITS } from '../../language/bundle/bundle.ts';
import type { Db, Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { ConnectorRow } from '../connectors/connector.ts';
import type { DashboardTemplateRow } from '../dashboard-templates/dashboard-template.ts';
import { type JobTemplateRow, parsedOf } from '../job-templates/job-template.ts';
import { taskNamesOf } from '../job-templates/node-problems.ts';
import type { TaskRecord } from '../tasks/task.ts';
import {
  selectActiveTasks,
  selectActiveTemplates,
  selectBoundConnectorIds,
  selectConnectorsWanted,
  selectDashboardsOfTemplates,
  selectEveryConnector,
  selectTasksWanted,
  selectTemplatesWanted,
  type Wanted,
} from './bundle-store.ts';
import { toStub } from './connector-stub.ts';

/** `*`: all active ones. Otherwise names (strings) and ids (numbers). */
export type Picked = '*' | readonly (string | number)[];

export interface ExportRequest {
  readonly tasks: Picked;
  readonly jobTemplates: Picked;
  readonly includeDashboardTemplates: boolean;
  /** True: those bound by active jobs of the exported templates. */
  readonly includeConnectors: boolean | Picked;
  readonly format: 'yaml' | 'zip';
}

/** Turns a bundle into its YAML, or into its zip in Base64, in the worker host. */
export type WriteBundle = (bundle: Bundle, format: 'yaml' | 'zip') => Promise<string>;

export interface ExportsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly writeBundle: WriteBundle;
}

export type Exports = ReturnType<typeof createExports>;

const READ_MAX = BUNDLE_LIMITS.itemsMax + 1;

/** Definitions as a bundle: by name, without ids, versions, times and secrets. */
export function createExports({ store, clock, writeBundle }: ExportsDeps) {
  /**
   * The bundle (YAML, or a zip in Base64) of the selected definitions and the tasks that their templates name, from one
   * committed state. `VALIDATION_ERROR` names what does not exist; `UNPROCESSABLE` if the bundle could not be imported again,
   * mostly because it is too large.
   */
  async function run(request: ExportRequest, actor: Actor): Promise<string> {
    const bundle = await store.snapshot((db) => bundleOf(db, request));
    const text = await writeBundle(bundle, request.format);
    const diff = { format: request.format, ...countsOf(bundle) };
    const entry = { action: 'bundle.export', resourceType: 'bundle', resourceId: null, diff };
    await store.write((tx) => insertAudit(tx, actor, entry, clock.now()));
    return text;
  }

  return { run };
}

async function bundleOf(db: Db, request: ExportRequest): Promise<Bundle> {
  const problems: Problem[] = [];
  const templates = await picked(request.jobTemplates, problems, {
    path: 'job_templates',
    noun: 'job template',
    all: () => selectActiveTemplates(db, READ_MAX),
    some: (wanted) => selectTemplatesWanted(db, wanted),
  });
  const asked = await picked(request.tasks, problems, {
    path: 'tasks',
    noun: 'task',
    all: () => selectActiveTasks(db, READ_MAX),
    some: (wanted) => selectTasksWanted(db, wanted),
  });
  const connectors = await connectorsOf(db, request.includeConnectors, templates, problems);
  if (problems.length > 0) throw validationError(problems);
  const ids = templates.map((template) => template.id);
  const dashboards = request.includeDashboardTemplates ? await selectDashboardsOfTemplates(db, ids) : [];
  const active = dashboards.filter((dashboard) => dashboard.status === 'active');
  requireDifferentNames(templates, active);
  const named = [...new Set(templates.flatMap((template) => taskNamesOf(parsedOf(template))))];
  const needed = await selectTasksWanted(db, { by: 'name', values: named });
  const tasks = [...new Map([...asked, ...needed].map((task) => [task.id, task])).values()];
  requireFewEnough(tasks.length + templates.length + active.length + connectors.length);
  return {
    connectors: connectors.map(toStub),
    tasks: tasks.map(toDefinition),
    job_templates: templates.map((template) => toTemplate(template, active)),
  };
}

interface Source<T> {
  readonly path: string;
  readonly noun: string;
  all(): Promise<readonly T[]>;
  some(wanted: Wanted): Promise<readonly T[]>;
}

/** The selected ones, without duplicates. */
async function picked<T extends { readonly id: number; readonly name: string }>(
  pick: Picked,
  problems: Problem[],
  source: Source<T>,
): Promise<readonly T[]> {
  if (pick === '*') {
    const rows = await source.all();
    requireFewEnough(rows.length);
    return rows;
  }
  const names = pick.filter((item) => typeof item === 'string');
  const ids = pick.filter((item) => typeof item === 'number');
  const byName = await source.some({ by: 'name', values: names });
  const byId = await source.some({ by: 'id', values: ids });
  const found = new Set<string | number>([...byName.map((row) => row.name), ...byId.map((row) => row.id)]);
  for (const [index, item] of pick.entries()) {
    if (!found.has(item))
      problems.push({ path: `${source.path}[${index}]`, message: `There is no ${source.noun} "${item}"` });
  }
  return [...new Map([...byName, ...byId].map((row) => [row.id, row])).values()];
}

async function connectorsOf(
  db: Db,
  include: boolean | Picked,
  templates: readonly JobTemplateRow[],
  problems: Problem[],
): Promise<readonly ConnectorRow[]> {
  if (include === false) return [];
  const some = (wanted: Wanted) => selectConnectorsWanted(db, wanted);
  if (include !== true) {
    const all = () => selectEveryConnector(db, READ_MAX);
    return picked(include, problems, { path: 'include_connectors', noun: 'connector', all, some });
  }
  const ids = templates.map((template) => template.id);
  return some({ by: 'id', values: await selectBoundConnectorIds(db, ids) });
}

/** A bundle identifies a dashboard template only by its name. */
function requireDifferentNames(
  templates: readonly JobTemplateRow[],
  dashboards: readonly DashboardTemplateRow[],
): void {
  for (const template of templates) {
    const names = dashboards.filter((row) => row.job_template_id === template.id).map((row) => row.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice === undefined) continue;
    const message = `The job template "${template.name}" has two dashboard templates "${twice}": rename or archive one, or export without them`;
    throw new AppError('UNPROCESSABLE', message);
  }
}

function requireFewEnough(count: number): void {
  const { itemsMax } = BUNDLE_LIMITS;
  if (count <= itemsMax) return;
  const message = `A bundle holds at most ${itemsMax} definitions and connectors: export fewer at a time, by name`;
  throw new AppError('UNPROCESSABLE', message);
}

function toDefinition({ name, description, yaml_content }: TaskRecord | DashboardTemplateRow) {
  return { name, description, yaml: yaml_content };
}

function toTemplate(
  { id, name, description, yaml_content }: JobTemplateRow,
  dashboards: readonly DashboardTemplateRow[],
): BundleTemplate {
  const own = dashboards.filter((dashboard) => dashboard.job_template_id === id);
  return { name, description, yaml: yaml_content, dashboard_templates: own.map(toDefinition) };
}

/** The number of items per kind in a bundle. */
function countsOf(bundle: Bundle) {
  return {
    connectors: bundle.connectors.length,
    tasks: bundle.tasks.length,
    job_templates: bundle.job_templates.length,
    dashboard_templates: bundle.job_templates.flatMap((template) => template.dashboard_templates).length,
  };
}
