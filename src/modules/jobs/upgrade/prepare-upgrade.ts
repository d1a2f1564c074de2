import { AppError, notFound, type Problem, requireFound } from '../../../base/errors.ts';
import { canonicalJson } from '../../../base/json.ts';
import { createDiffBudget, type DiffBudget } from '../../../base/text/diff-budget.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Store } from '../../../store/store.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import { type JobTemplateRow, parsedOf } from '../../job-templates/job-template.ts';
import { selectJobTemplate } from '../../job-templates/job-template-store.ts';
import { mappingProblems } from '../config/mapping-problems.ts';
import { type ConnectorMapping, defaultArgs, type JobRow } from '../job.ts';
import { selectJobStates } from '../job-state-store.ts';
import { selectConnectorSummaries, selectJob } from '../job-store.ts';
import { type CurrentTask, selectCurrentTasks, selectPinnedTasks } from '../job-task-store.ts';
import type { JobSnapshot } from './job-upgrade-store.ts';
import { type ConfigChange, type PlanConfigDeps, planConfig } from './upgrade-config.ts';
import type { DashboardChange, PrepareDashboardUpgrade, PreparedDashboards } from './upgrade-dashboards.ts';
import {
  type ChildChange,
  type ConnectorChange,
  hashOfPlan,
  type NodeChange,
  planMapping,
  planNodes,
  type UpgradeRequest,
} from './upgrade-plan.ts';

export interface UpgradePlanDeps extends PlanConfigDeps {
  readonly store: Store;
  readonly prepareDashboards: PrepareDashboardUpgrade;
}

/** Exactly what an upgrade would do. */
export interface UpgradePlan {
  /** Changes with every action of the upgrade, and with everything that the plan was made from. */
  readonly plan_hash: string;
  readonly changed: boolean;
  readonly template: { readonly from_version: number; readonly to_version: number; readonly diff: string };
  readonly tasks: (Omit<NodeChange, 'texts' | 'children' | 'childPins'> & {
    readonly diff: string;
    /** The tasks run by its `run_task` steps that change. */
    readonly child_tasks: readonly (Omit<ChildChange, 'texts'> & { readonly diff: string })[];
  })[];
  readonly connectors: readonly ConnectorChange[];
  readonly config: readonly ConfigChange[];
  readonly dashboards: readonly DashboardChange[];
  /** Cursors of nodes that are removed or get a different task. They stay. */
  readonly cursors: readonly { readonly task_key: string; readonly step_id: string }[];
  readonly problems: readonly Problem[];
}

/** A plan with the writes of its transaction, and the rows that it must find there unchanged. */
export interface PreparedUpgrade {
  readonly request: UpgradeRequest;
  readonly plan: UpgradePlan;
  readonly job: JobRow;
  /** Null if the template is not upgraded. */
  readonly template: JobTemplateRow | null;
  readonly used: readonly CurrentTask[];
  readonly snapshot: JobSnapshot;
  readonly parsed: TemplateInfo;
  readonly nodes: readonly NodeChange[];
  readonly mapping: ConnectorMapping;
  readonly config: Readonly<Record<string, unknown>>;
  readonly dashboards: PreparedDashboards;
  /** The template, a pin or the mapping. */
  readonly snapshotChanged: boolean;
  readonly configChanged: boolean;
}

/** Everything of an upgrade that reads, parses and compares, so that its transaction only writes. */
export async function prepareUpgrade(
  deps: UpgradePlanDeps,
  jobId: number,
  request: UpgradeRequest,
): Promise<PreparedUpgrade> {
  const { store, prepareDashboards } = deps;
  const job = requireFound(await selectJob(store.read, jobId), 'job', jobId);
  const template = request.template ? await templateOf(store, job) : null;
  const snapshot = template === null ? job : snapshotOf(job, template);
  const [before, after] = [parsedOf(job), parsedOf(snapshot)];
  const { nodes, used, problems } = await nodesOf(store, { job, before, after }, request);
  const saved = JSON.parse(job.connector_mapping_json) as ConnectorMapping;
  const { mapping, changes: connectors } = planMapping(before, after, saved, request.connector_mapping);
  const known = await selectConnectorSummaries(store.read, [...new Set(Object.values(mapping))]);
  const connector_mapping_json = JSON.stringify(mapping);
  const target: JobRow = { ...job, ...snapshot, connector_mapping_json };
  const config = await planConfig(deps, { before, after, target, given: request.config });
  const diffs = createDiffBudget('upgrade');
  const vars = defaultArgs(after);
  const dashboards = await prepareDashboards({
    job,
    vars,
    varsChanged: canonicalJson(vars) !== canonicalJson(defaultArgs(before)),
    ids: request.dashboards,
    force: request.force,
    diffs,
  });
  const found = [
    ...problems,
    ...mappingProblems(after, mapping, known),
    ...config.problems,
    ...dashboards.problems,
  ];
  const snapshotChanged =
    snapshot.template_version !== job.template_version ||
    nodes.some(({ action }) => action !== 'keep') ||
    canonicalJson(mapping) !== canonicalJson(saved);
  const configChanged = canonicalJson(config.values) !== canonicalJson(parseJsonText(job.config_json));
  const writes = dashboards.changes.some(({ action }) => !action.startsWith('skip'));
  const plan = {
    changed: snapshotChanged || configChanged || writes,
    ...(await diffedParts({ job, snapshot, nodes }, diffs)),
    connectors,
    config: config.changes,
    dashboards: dashboards.changes,
    cursors: await cursorsOf(store, job, nodes),
    problems: found,
  };
  const madeFrom = {
    request,
    job: [job.id, job.version, job.config_version],
    template: template === null ? null : [template.id, template.version, template.status],
    tasks: used.map(({ id, version }) => [id, version]),
    nodes: plan.tasks.map(({ diff: _diff, child_tasks: _children, ...node }) => node),
    children: nodes.map(({ children }) => children.map(({ texts: _texts, ...child }) => child)),
    dashboards: [dashboards.madeFrom, dashboards.changes.map(({ diff: _diff, ...change }) => change)],
    config: config.values,
    mapping,
    problems: found,
  };
  return {
    request,
    plan: { plan_hash: hashOfPlan(madeFrom), ...plan },
    job,
    template,
    used,
    snapshot,
    parsed: after,
    nodes,
    mapping,
    config: config.values,
    dashboards,
    snapshotChanged,
    configChanged,
  };
}

/** `CONFLICT` if there is a newer version and the template is archived. */
async function templateOf(store: Store, job: JobRow): Promise<JobTemplateRow> {
  const template = await selectJobTemplate(store.read, job.job_template_id);
  if (template === null) throw notFound('job template', job.job_template_id);
  if (template.status === 'active' || template.version === job.template_version) return template;
  throw new AppError(
    'CONFLICT',
    `The job template "${template.name}" is archived: activate it first, or leave it out with "template": false`,
  );
}

/** The parsed form stored with the job stays valid as long as the template is at the same version. */
function snapshotOf(job: JobRow, template: JobTemplateRow): JobSnapshot {
  if (template.version === job.template_version) return job;
  const { yaml_content, parsed_json } = template;
  return { template_version: template.version, yaml_content, parsed_json };
}

async function nodesOf(
  store: Store,
  {
    job,
    before,
    after,
  }: { readonly job: JobRow; readonly before: TemplateInfo; readonly after: TemplateInfo },
  request: UpgradeRequest,
) {
  const pinned = await selectPinnedTasks(store.read, job.id);
  const ids = [...new Set(pinned.map(({ task_id }) => task_id))];
  const own = pinned.flatMap(({ override }) => override?.runs ?? []);
  const names = [...new Set([...after.tasks.map(({ task }) => task), ...own])];
  const current = await selectCurrentTasks(store.read, ids, names);
  return planNodes({ before, after, pinned, current, wanted: request.tasks });
}

async function diffedParts(
  { job, snapshot, nodes }: Pick<PreparedUpgrade, 'job' | 'snapshot' | 'nodes'>,
  diffs: DiffBudget,
): Promise<Pick<UpgradePlan, 'template' | 'tasks'>> {
  const [from_version, to_version] = [job.template_version, snapshot.template_version];
  const names = { from: `version ${from_version}`, to: `version ${to_version}` };
  const diff = await diffs.of(job.yaml_content, snapshot.yaml_content, names);
  const tasks: UpgradePlan['tasks'] = [];
  const diffOf = (change: Pick<NodeChange, 'texts' | 'from_version' | 'to_version'>) =>
    diffs.of(...change.texts, { from: nameOf(change.from_version), to: nameOf(change.to_version) });
  for (const node of nodes) {
    const { texts: _texts, children, childPins: _pins, ...shown } = node;
    const child_tasks: UpgradePlan['tasks'][number]['child_tasks'][number][] = [];
    const diff = await diffOf(node);
    for (const child of children) {
      const { texts: _, ...change } = child;
      child_tasks.push({ ...change, diff: await diffOf(child) });
    }
    tasks.push({ ...shown, diff, child_tasks });
  }
  return { template: { from_version, to_version, diff }, tasks };
}

function nameOf(version: number | null): string {
  return version === null ? '/dev/null' : `version ${version}`;
}

async function cursorsOf(
  store: Store,
  job: JobRow,
  nodes: readonly NodeChange[],
): Promise<UpgradePlan['cursors']> {
  const keys = new Set(
    nodes.filter(({ action, replaced }) => action === 'remove' || replaced).map(({ key }) => key),
  );
  if (keys.size === 0) return [];
  const states = await selectJobStates(store.read, job.id, null);
  return states.flatMap(({ task_key, name }) => (keys.has(task_key) ? [{ task_key, step_id: name }] : []));
}
