import pMap from 'p-map';
import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, type Problem, validationError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { createDiffBudget } from '../../base/text/diff-budget.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudits } from '../audit/audit-store.ts';
import type { DashboardTemplateRow, ParseDashboard } from '../dashboard-templates/dashboard-template.ts';
import {
  lockDashboardTemplate,
  selectDashboardTemplate,
} from '../dashboard-templates/dashboard-template-store.ts';
import { isModified, marksOf } from '../dashboard-templates/snapshot-marks.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { defaultArgs } from '../jobs/job.ts';
import {
  type LinkedDashboard,
  lockLinkedVersions,
  selectLinkedDashboards,
  updateSnapshot,
  updateSnapshotMarks,
} from './dashboard-push-store.ts';
import { type Snapshot, snapshotOf } from './dashboard-snapshot.ts';

/** Dashboards of one push. */
export const pushDashboardsMax = 1_000;
const PARSED_AT_ONCE = { concurrency: 4 };
const PROBLEMS_MAX = 500;

export interface DashboardPushDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseDashboard: ParseDashboard;
}

export interface PushRequest {
  /** Default: all that are linked to the template. */
  readonly dashboardIds?: readonly number[] | undefined;
  readonly dryRun: boolean;
}

export interface PushItem {
  readonly dashboard_id: number;
  readonly job_id: number;
  readonly job_name: string;
  readonly name: string;
  /** `unchanged`: it has the template's name, description and text. `invalid`: with the arguments of its job the text is wrong. */
  readonly action: 'update' | 'unchanged' | 'invalid';
  /** Its text was changed since it was snapshotted, and the push would take that away; null where that is not known. */
  readonly modified: boolean | null;
  readonly from_version: number | null;
  readonly to_version: number;
  /** From the dashboard's YAML to the template's; empty for the same text. */
  readonly diff: string;
  readonly problems: readonly Problem[];
}

/** What the template's text is with the arguments of a job; null where it is wrong with them. */
interface Prepared {
  readonly snapshot: Snapshot | null;
  readonly problems: readonly Problem[];
}

interface Target extends Prepared {
  readonly dashboard: LinkedDashboard;
  readonly item: PushItem;
}

/** Puts a dashboard template's text as it is now onto the dashboards that were made from it. */
export class DashboardPush {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #parseDashboard: ParseDashboard;

  constructor({ store, clock, parseDashboard }: DashboardPushDeps) {
    this.#store = store;
    this.#clock = clock;
    this.#parseDashboard = parseDashboard;
  }

  /**
   * What it would do to each dashboard and, without `dryRun`, does: to all of them or to none. `VALIDATION_ERROR` names dashboards
   * that are not linked, and has every problem of those whose job's arguments make the text wrong. `CONFLICT` where the
   * template is archived, or something of it changed meanwhile. Identical dashboards keep their version; share links stay.
   */
  async push(templateId: number, request: PushRequest, actor: Actor): Promise<readonly PushItem[]> {
    const template = await selectDashboardTemplate(this.#store.read, templateId);
    if (template === null) throw notFound('dashboard template', templateId);
    requireActive(template);
    const targets = await this.#targetsOf(
      template,
      await this.#linkedDashboards(templateId, request.dashboardIds),
    );
    if (!request.dryRun) {
      requireValid(targets);
      await this.#store.write((tx) => this.#apply(tx, template, targets, actor), 'dashboard-push');
    }
    return targets.map(({ item }) => item);
  }

  async #linkedDashboards(
    templateId: number,
    ids: readonly number[] | undefined,
  ): Promise<readonly LinkedDashboard[]> {
    const found = await selectLinkedDashboards(this.#store.read, templateId, ids, pushDashboardsMax + 1);
    if (found.length > pushDashboardsMax) {
      const message = `More than ${pushDashboardsMax} dashboards are linked: push to some at a time, with "dashboard_ids"`;
      throw validationError([{ path: 'dashboard_ids', message }]);
    }
    const linked = new Set(found.map(({ id }) => id));
    const problems = (ids ?? []).flatMap((id, index) => {
      const message = `The dashboard "${id}" is not linked to the dashboard template "${templateId}"`;
      return linked.has(id) ? [] : [{ path: `dashboard_ids[${index}]`, message }];
    });
    if (problems.length > 0) throw validationError(problems);
    return found;
  }

  /** Jobs of one template mostly have the same arguments: each set of them is parsed once. */
  async #targetsOf(
    template: DashboardTemplateRow,
    dashboards: readonly LinkedDashboard[],
  ): Promise<readonly Target[]> {
    const wanted = dashboards.map((dashboard) => {
      const vars = defaultArgs(parsedOf(dashboard));
      return { dashboard, vars, key: canonicalJson(vars) };
    });
    const different = [...new Map(wanted.map(({ key, vars }) => [key, vars]))];
    const prepared = new Map(
      await pMap(
        different,
        async ([key, vars]) => [key, await this.#prepare(template, vars)] as const,
        PARSED_AT_ONCE,
      ),
    );
    const diffs = createDiffBudget('push');
    const names = { from: 'dashboard', to: `template ${template.id}, version ${template.version}` };
    const targets: Target[] = [];
    for (const { dashboard, key } of wanted) {
      const mine = prepared.get(key) ?? { snapshot: null, problems: [] };
      const diff = await diffs.of(dashboard.yaml_content, template.yaml_content, names);
      const item = itemOf(template, dashboard, mine, diff);
      targets.push({ ...mine, dashboard, item });
    }
    return targets;
  }

  async #prepare(template: DashboardTemplateRow, vars: Readonly<Record<string, unknown>>): Promise<Prepared> {
    const parsed = await this.#parseDashboard(template.yaml_content, vars);
    return parsed.ok
      ? { snapshot: snapshotOf(template, parsed), problems: [] }
      : { snapshot: null, problems: parsed.problems };
  }

  async #apply(
    tx: Tx,
    template: DashboardTemplateRow,
    targets: readonly Target[],
    actor: Actor,
  ): Promise<void> {
    const still = await lockDashboardTemplate(tx, this.#store.dialect, template.id);
    if (still?.version !== template.version || still.status !== template.status)
      throw changed(`The dashboard template "${template.name}"`);
    const ids = targets.map(({ dashboard }) => dashboard.id);
    const versions = await lockLinkedVersions(tx, this.#store.dialect, template.id, ids);
    for (const { dashboard } of targets) {
      if (versions.get(dashboard.id) !== dashboard.version)
        throw changed(`The dashboard "${dashboard.name}" (${dashboard.id})`);
    }
    const now = this.#clock.now();
    const updates = targets.filter(({ item }) => item.action === 'update');
    const kept = targets.filter(({ item }) => item.action === 'unchanged');
    for (const { dashboard, snapshot } of updates)
      if (snapshot !== null) await updateSnapshot(tx, dashboard.id, dashboard.version + 1, snapshot, now);
    const keptIds = kept.map(({ dashboard }) => dashboard.id);
    await updateSnapshotMarks(tx, keptIds, marksOf(template));
    await insertAudits(tx, actor, auditOf(template, updates, kept.length), now);
  }
}

function itemOf(
  template: DashboardTemplateRow,
  dashboard: LinkedDashboard,
  { snapshot, problems }: Prepared,
  diff: string,
): PushItem {
  const same =
    dashboard.yaml_content === template.yaml_content &&
    dashboard.name === template.name &&
    dashboard.description === template.description;
  return {
    dashboard_id: dashboard.id,
    job_id: dashboard.job_id,
    job_name: dashboard.job_name,
    name: dashboard.name,
    action: snapshot === null ? 'invalid' : same ? 'unchanged' : 'update',
    modified: isModified(dashboard),
    from_version: dashboard.template_version,
    to_version: template.version,
    diff,
    problems,
  };
}

/** The problems name the dashboard: the text is the same for all of them, their arguments are not. */
function requireValid(targets: readonly Target[]): void {
  const problems = targets.flatMap(({ dashboard, item }) =>
    item.problems.map((problem) => ({
      ...problem,
      message: `The dashboard "${dashboard.id}" of the job "${dashboard.job_name}" cannot take it: ${problem.message}`,
    })),
  );
  const more = problems.length - PROBLEMS_MAX;
  if (more > 0) {
    const message = `There are ${more} more problems; fix these first`;
    problems.splice(PROBLEMS_MAX, more, { path: '', message });
  }
  if (problems.length > 0) throw validationError(problems);
}

function requireActive(template: DashboardTemplateRow): void {
  if (template.status === 'active') return;
  throw new AppError('CONFLICT', `The dashboard template "${template.name}" is archived: activate it first`);
}

function changed(what: string): AppError {
  return new AppError(
    'CONFLICT',
    `${what} has changed in the meantime: review what a push would do now, and try again`,
  );
}

function auditOf(template: DashboardTemplateRow, updates: readonly Target[], unchanged: number) {
  const each = updates.map(({ dashboard, item }) => ({
    action: 'dashboard.push',
    resourceType: 'dashboard',
    resourceId: dashboard.id,
    diff: {
      version: [dashboard.version, dashboard.version + 1],
      template_version: [item.from_version, item.to_version],
      dashboard_template_id: template.id,
    },
  }));
  const whole = {
    action: 'dashboard_template.push',
    resourceType: 'dashboard_template',
    resourceId: template.id,
    diff: { version: template.version, updated: updates.length, unchanged },
  };
  return [...each, whole];
}
