import type { Tx } from '../../../store/store.ts';
import type { Actor, AuditOrigin } from '../../audit/audit.ts';
import type { Connectors } from '../../connectors/connector-service.ts';
import {
  type DashboardTemplates,
  preparedDashboardTemplate,
} from '../../dashboard-templates/dashboard-template-service.ts';
import { type JobTemplates, preparedTemplate } from '../../job-templates/job-template-service.ts';
import { preparedTask, type Tasks } from '../../tasks/task-service.ts';
import type { ConnectorItem, DashboardItem, PlanItem, TaskItem, TemplateItem } from './plan-item.ts';
import { isWritten } from './plan-item.ts';

export interface ApplyDeps {
  readonly connectors: Pick<Connectors, 'createStubInside'>;
  readonly tasks: Pick<Tasks, 'createInside' | 'updateInside'>;
  readonly jobTemplates: Pick<JobTemplates, 'createInside' | 'updateInside'>;
  readonly dashboardTemplates: Pick<DashboardTemplates, 'createInside' | 'updateInside'>;
}

/** An item after the import. */
export interface Applied {
  readonly id: number;
  readonly version: number;
}

/**
 * Applies a plan with the usual rules of each kind: versions, audit rows, and refusals, any of which rolls everything back. In
 * the plan's order, so that a template finds its tasks and a dashboard its template. The caller has locked everything that the
 * plan read.
 */
export async function applyPlan(
  tx: Tx,
  items: readonly PlanItem[],
  deps: ApplyDeps,
  actor: Actor,
  origin: AuditOrigin,
): Promise<ReadonlyMap<PlanItem, Applied>> {
  const applied = new Map<PlanItem, Applied>();
  const writer = { tx, deps, actor, origin, applied };
  for (const item of items) {
    const done = isWritten(item) ? await write(writer, item) : item.existing;
    if (done !== null) applied.set(item, { id: done.id, version: done.version });
  }
  return applied;
}

interface Writer {
  readonly tx: Tx;
  readonly deps: ApplyDeps;
  readonly actor: Actor;
  readonly origin: AuditOrigin;
  readonly applied: ReadonlyMap<PlanItem, Applied>;
}

async function write(writer: Writer, item: PlanItem): Promise<Applied> {
  switch (item.kind) {
    case 'connector':
      return writeConnector(writer, item);
    case 'task':
      return writeTask(writer, item);
    case 'job_template':
      return writeTemplate(writer, item);
    case 'dashboard_template':
      return writeDashboard(writer, item);
    default:
      return item satisfies never;
  }
}

function writeConnector({ tx, deps, actor, origin }: Writer, { connector, name, renameTo }: ConnectorItem) {
  const { type, description, config, secrets } = connector;
  const stub = { name: renameTo ?? name, type, description, config, openSecrets: secrets };
  return deps.connectors.createStubInside(tx, stub, actor, origin);
}

function writeTask({ tx, deps, actor, origin }: Writer, item: TaskItem) {
  if (!item.parsed.ok) throw new Error(`the task ${item.name} is written unparsed`);
  const prepared = preparedTask(inputOf(item), item.parsed.info);
  return item.action === 'update' && item.existing !== null
    ? deps.tasks.updateInside(tx, item.existing, prepared, actor, origin)
    : deps.tasks.createInside(tx, prepared, actor, origin);
}

function writeTemplate({ tx, deps, actor, origin }: Writer, item: TemplateItem) {
  if (!item.parsed.ok) throw new Error(`the job template ${item.name} is written unparsed`);
  const prepared = preparedTemplate(inputOf(item), item.parsed.info);
  return item.action === 'update' && item.existing !== null
    ? deps.jobTemplates.updateInside(tx, item.existing, prepared, actor, origin)
    : deps.jobTemplates.createInside(tx, prepared, actor, origin);
}

function writeDashboard({ tx, deps, actor, origin, applied }: Writer, item: DashboardItem) {
  const template = applied.get(item.template);
  if (template === undefined) throw new Error(`the dashboard template ${item.name} has no job template`);
  const prepared = preparedDashboardTemplate(inputOf(item));
  return item.action === 'update' && item.existing !== null
    ? deps.dashboardTemplates.updateInside(tx, item.existing, prepared, actor, origin)
    : deps.dashboardTemplates.createInside(tx, { ...prepared, jobTemplateId: template.id }, actor, origin);
}

function inputOf({ name, renameTo, definition }: TaskItem | TemplateItem | DashboardItem) {
  return {
    name: renameTo ?? name,
    description: definition.description,
    yaml_content: definition.yaml,
  };
}
