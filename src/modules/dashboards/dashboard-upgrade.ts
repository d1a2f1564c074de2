import pMap from 'p-map';
import type { Problem } from '../../base/errors.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudits } from '../audit/audit-store.ts';
import type { DashboardTemplateRow, ParseDashboard } from '../dashboard-templates/dashboard-template.ts';
import { selectDashboardTemplatesOf } from '../dashboard-templates/dashboard-template-store.ts';
import { isModified, marksOf, type SnapshotMarks } from '../dashboard-templates/snapshot-marks.ts';
import type {
  DashboardChange,
  DashboardsRequest,
  PrepareDashboardUpgrade,
} from '../jobs/upgrade/upgrade-dashboards.ts';
import { updateSnapshot, updateSnapshotMarks } from './dashboard-push-store.ts';
import { type Snapshot, snapshotOf } from './dashboard-snapshot.ts';
import { insertDashboard } from './dashboard-store.ts';
import {
  type JobDashboard,
  lockJobDashboards,
  lockTemplatesOf,
  selectJobDashboards,
} from './dashboard-upgrade-store.ts';

const PARSED_AT_ONCE = { concurrency: 4 };

export interface DashboardUpgradeDeps {
  readonly store: Store;
  readonly parseDashboard: ParseDashboard;
}

/** A dashboard that may change, and the template that it is compared with. */
interface Candidate {
  readonly dashboard: JobDashboard | null;
  readonly template: DashboardTemplateRow;
  readonly skip: 'skip_modified' | 'skip_archived' | null;
}

interface Target extends Candidate {
  readonly change: DashboardChange;
  readonly snapshot: Snapshot | null;
  readonly marks: SnapshotMarks;
}

/** The dashboards of a job from their templates as they are now: those that an upgrade of the job takes along. */
export function createDashboardUpgrade({
  store,
  parseDashboard,
}: DashboardUpgradeDeps): PrepareDashboardUpgrade {
  async function targetOf(
    candidate: Candidate,
    request: DashboardsRequest,
    problems: Problem[],
  ): Promise<Target> {
    const { dashboard, template, skip } = candidate;
    const marks = marksOf(template);
    let snapshot: Snapshot | null = null;
    if (skip === null) {
      const parsed = await parseDashboard(template.yaml_content, request.vars);
      if (parsed.ok) snapshot = snapshotOf(template, parsed);
      else problems.push(...parsed.problems.map((problem) => placed(candidate, problem)));
    }
    const names = {
      from: dashboard === null ? '/dev/null' : 'dashboard',
      to: `template ${template.id}, version ${template.version}`,
    };
    const diff = await request.diffs.of(dashboard?.yaml_content ?? '', template.yaml_content, names);
    return { ...candidate, change: changeOf(candidate, snapshot, request, diff), snapshot, marks };
  }

  async function write(
    tx: Tx,
    jobId: number,
    targets: readonly Target[],
    { actor, now }: { readonly actor: Actor; readonly now: number },
  ): Promise<void> {
    const entries = [];
    for (const { dashboard, template, change, snapshot, marks } of targets) {
      if (snapshot === null) continue;
      const from = { template_version: [change.from_version, change.to_version] };
      if (dashboard === null) {
        const { id } = await insertDashboard(tx, { ...snapshot, job_id: jobId }, now);
        entries.push(entryOf(id, template, from));
      } else if (change.action === 'unchanged') {
        await updateSnapshotMarks(tx, [dashboard.id], marks);
      } else {
        await updateSnapshot(tx, dashboard.id, dashboard.version + 1, snapshot, now);
        const version = [dashboard.version, dashboard.version + 1];
        entries.push(entryOf(dashboard.id, template, { version, ...from }));
      }
    }
    await insertAudits(tx, actor, entries, now);
  }

  return async (request) => {
    const { job, ids } = request;
    if (ids?.length === 0) return { changes: [], problems: [], madeFrom: [], write: async () => 'written' };
    const templates = await selectDashboardTemplatesOf(store.read, job.job_template_id);
    const dashboards = await selectJobDashboards(store.read, job.id);
    const madeFrom = stampOf(templates, dashboards);
    const problems: Problem[] = ids === null ? [] : namedProblems(ids, templates, dashboards);
    const candidates = candidatesOf(request, templates, dashboards);
    const targets = await pMap(candidates, (one) => targetOf(one, request, problems), PARSED_AT_ONCE);
    return {
      changes: targets.map(({ change }) => change),
      problems,
      madeFrom,
      async write(tx, actor, now) {
        const stillTemplates = await lockTemplatesOf(tx, store.dialect, job.job_template_id);
        const stillDashboards = await lockJobDashboards(tx, store.dialect, job.id);
        if (stampOf(stillTemplates, stillDashboards).join() !== madeFrom.join()) return 'changed';
        await write(tx, job.id, targets, { actor, now });
        return 'written';
      },
    };
  };
}

function candidatesOf(
  { ids, force, varsChanged }: DashboardsRequest,
  templates: readonly DashboardTemplateRow[],
  dashboards: readonly JobDashboard[],
): Candidate[] {
  const byId = new Map(templates.map((template) => [template.id, template]));
  const candidates = dashboards.flatMap((dashboard): Candidate[] => {
    const template = byId.get(dashboard.dashboard_template_id ?? 0);
    if (template === undefined) return [];
    if (ids !== null)
      return ids.includes(dashboard.id) && template.status === 'active'
        ? [{ dashboard, template, skip: null }]
        : [];
    if (dashboard.template_version === template.version && !varsChanged) return [];
    if (template.status !== 'active') return [{ dashboard, template, skip: 'skip_archived' }];
    const isKept = isModified(dashboard) !== false && !force;
    return [{ dashboard, template, skip: isKept ? 'skip_modified' : null }];
  });
  if (ids !== null) return candidates;
  const linked = new Set(dashboards.map((dashboard) => dashboard.dashboard_template_id));
  const missing = templates.filter(({ id, status }) => status === 'active' && !linked.has(id));
  return [...candidates, ...missing.map((template) => ({ dashboard: null, template, skip: null }))];
}

function namedProblems(
  ids: readonly number[],
  templates: readonly DashboardTemplateRow[],
  dashboards: readonly JobDashboard[],
): Problem[] {
  const statuses = new Map(templates.map(({ id, status }) => [id, status]));
  const linked = new Map(
    dashboards.map((dashboard) => [dashboard.id, statuses.get(dashboard.dashboard_template_id ?? 0)]),
  );
  return ids.flatMap((id, index): Problem[] => {
    const status = linked.get(id);
    if (status === 'active') return [];
    const message =
      status === undefined
        ? `The job has no dashboard "${id}" that was made from a template`
        : `The template of the dashboard "${id}" is archived: activate it first`;
    return [{ path: `dashboards[${index}]`, message }];
  });
}

/** The problems name the template: whoever upgrades a job did not write it. */
function placed({ template }: Candidate, problem: Problem): Problem {
  const message = `The dashboard template "${template.name}" cannot be used: ${problem.message}`;
  return { ...problem, path: `dashboard_templates.${template.id}`, message };
}

function changeOf(
  { dashboard, template, skip }: Candidate,
  snapshot: Snapshot | null,
  { varsChanged }: DashboardsRequest,
  diff: string,
): DashboardChange {
  const isSame =
    dashboard !== null &&
    dashboard.yaml_content === template.yaml_content &&
    dashboard.name === template.name &&
    dashboard.description === template.description &&
    (!varsChanged || dashboard.document_json === snapshot?.document_json);
  return {
    dashboard_id: dashboard?.id ?? null,
    dashboard_template_id: template.id,
    name: dashboard?.name ?? template.name,
    action: skip ?? (dashboard === null ? 'add' : isSame ? 'unchanged' : 'update'),
    modified: dashboard === null ? false : isModified(dashboard),
    from_version: dashboard?.template_version ?? null,
    to_version: template.version,
    diff,
  };
}

function stampOf(
  templates: readonly Pick<DashboardTemplateRow, 'id' | 'version' | 'status'>[],
  dashboards: readonly Pick<JobDashboard, 'id' | 'version' | 'template_version'>[],
): string[] {
  return [
    ...templates.map(({ id, version, status }) => `template ${id}@${version} ${status}`),
    ...dashboards.map(
      ({ id, version, template_version }) => `dashboard ${id}@${version}/${template_version}`,
    ),
  ];
}

function entryOf(id: number, template: DashboardTemplateRow, diff: object) {
  return {
    action: 'dashboard.upgrade',
    resourceType: 'dashboard',
    resourceId: id,
    diff: { ...diff, dashboard_template_id: template.id },
  };
}
