import type { Clock } from '../../base/clock.ts';
import { AppError, type Problem, requireFound, validationError } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import type { ExpectedVersions } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { Actor } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import type { Labels } from '../definitions/label.ts';
import { recordChanges } from '../definitions/record-changes.ts';
import { DELETIONS_CHANNEL } from '../deletions/deletion-store.ts';
import { selectActiveJobRuns } from '../job-runs/job-run-store.ts';
import { type JobTemplateRow, parsedOf } from '../job-templates/job-template.ts';
import { lockJobTemplate, selectJobTemplate } from '../job-templates/job-template-store.ts';
import { nodeProblems, taskNamesOf } from '../job-templates/node-problems.ts';
import { childTasksIn, namesWithChildren } from '../tasks/child-tasks.ts';
import type { TaskRecord } from '../tasks/task.ts';
import { lockTasksByName } from '../tasks/task-store.ts';
import { mappingProblems } from './config/mapping-problems.ts';
import { type ConnectorMapping, defaultArgs, type JobRow } from './job.ts';
import {
  deleteJob,
  insertJob,
  lockJob,
  type Pin,
  selectActiveReplay,
  updateJob,
  updateJobStatus,
} from './job-store.ts';
import { lockMapped } from './upgrade/job-upgrade-store.ts';

const CREATE_TRIES_MAX = 3;

/** Writes a job's dashboards, in the transaction that creates the job. Supplied by the dashboards module. */
export type WriteDashboards = (tx: Tx, jobId: number, now: number) => Promise<'written' | 'changed'>;
/** Reads and parses the active dashboard templates of a job template, outside any transaction. */
export type PrepareDashboards = (
  jobTemplateId: number,
  vars: Readonly<Record<string, unknown>>,
) => Promise<WriteDashboards>;

export interface JobsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly prepareDashboards: PrepareDashboards;
}

export interface JobInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly connector_mapping: ConnectorMapping;
  /** Left out: none in a new job; in a changed one they stay. */
  readonly labels?: Labels | undefined;
}

export type Jobs = ReturnType<typeof createJobs>;

/** Jobs: a snapshot of a template, with its YAML, its tasks' versions and its dashboards at that moment. */
export function createJobs(deps: JobsDeps) {
  const { store, clock } = deps;
  const audit = createAudit(clock);
  const { locked, change } = recordChanges(store, 'job', lockJob);

  async function update(
    id: number,
    input: JobInput,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<JobRow> {
    return change(id, expected, (tx, before) => updateInside(deps, tx, before, input, actor));
  }

  async function remove(id: number, expected: ExpectedVersions, actor: Actor): Promise<void> {
    await change(id, expected, async (tx, row) => {
      await requireIdle(tx, row);
      await deleteJob(tx, id, clock.now());
      await audit(tx, actor, 'job.delete', id, { name: row.name });
    });
    store.notify(DELETIONS_CHANNEL);
  }

  async function setStatus(id: number, status: 'active' | 'archived', actor: Actor): Promise<JobRow> {
    return store.write(async (tx) => {
      const before = await locked(tx, id);
      if (before.status === status) return before;
      const row = await updateJobStatus(tx, id, status, clock.now());
      await audit(tx, actor, 'job.status', id, { status: [before.status, status] });
      return row;
    });
  }

  return {
    create: (templateId: number, input: JobInput, actor: Actor) => create(deps, templateId, input, actor),
    update,
    remove,
    setStatus,
  };
}

/** Creates all of it or nothing, from one version of the template: if that changes in between, creation starts again. */
async function create(deps: JobsDeps, templateId: number, input: JobInput, actor: Actor): Promise<JobRow> {
  const { store, prepareDashboards } = deps;
  for (let attempt = 1; attempt <= CREATE_TRIES_MAX; attempt++) {
    const row = await selectJobTemplate(store.read, templateId);
    const template = requireFound(row, 'job template', templateId);
    if (template.status !== 'active')
      throw new AppError('CONFLICT', `The job template "${template.name}" is archived: activate it first`);
    const writeDashboards = await prepareDashboards(templateId, defaultArgs(parsedOf(template)));
    try {
      return await store.write(
        (tx) => insertSnapshot(deps, tx, template, input, writeDashboards, actor),
        'job-create',
      );
    } catch (error) {
      if (!(error instanceof TemplateChanged)) throw error;
    }
  }
  throw new AppError('CONFLICT', 'The job template is being changed right now: try again');
}

/** Locks everything that the job refers to, so that nothing of it is changed or deleted before the job exists. */
async function insertSnapshot(
  { store, clock }: JobsDeps,
  tx: Tx,
  template: JobTemplateRow,
  input: JobInput,
  writeDashboards: WriteDashboards,
  actor: Actor,
): Promise<JobRow> {
  const still = await lockJobTemplate(tx, store.dialect, template.id);
  if (still?.version !== template.version || still.status !== template.status) throw new TemplateChanged();
  const parsed = parsedOf(template);
  const names = await namesWithChildren(tx, taskNamesOf(parsed));
  const tasks = await lockTasksByName(tx, store.dialect, names);
  const { missing, mismatched } = nodeProblems(parsed, tasks);
  const { pins, problems: childProblems } = pinsOf(parsed, tasks);
  const mapping = await problemsOfMapping(store, tx, parsed, input.connector_mapping);
  const problems = [...mapping, ...missing, ...mismatched, ...childProblems];
  if (problems.length > 0) throw validationError(problems);
  const job = {
    job_template_id: template.id,
    template_version: template.version,
    name: input.name,
    description: input.description ?? null,
    yaml_content: template.yaml_content,
    parsed_json: template.parsed_json,
    mapping: input.connector_mapping,
    labels: input.labels ?? {},
    config: parsed.jobConfigDefaults,
  };
  const now = clock.now();
  const row = await insertJob(tx, job, pins, actor.name, now);
  if ((await writeDashboards(tx, row.id, now)) === 'changed') throw new TemplateChanged();
  await createAudit(clock)(tx, actor, 'job.create', row.id);
  return row;
}

async function updateInside(
  { store, clock }: JobsDeps,
  tx: Tx,
  before: JobRow,
  input: JobInput,
  actor: Actor,
): Promise<JobRow> {
  const { name, description = null, connector_mapping: mapping } = input;
  const problems = await problemsOfMapping(store, tx, parsedOf(before), mapping);
  if (problems.length > 0) throw validationError(problems);
  const saved: unknown = JSON.parse(before.connector_mapping_json);
  const had = JSON.parse(before.labels_json) as Labels;
  const { labels = had } = input;
  const same =
    canonicalJson(saved) === canonicalJson(mapping) &&
    canonicalJson(had) === canonicalJson(labels) &&
    name === before.name;
  if (same && description === before.description) return before;
  const row = await updateJob(tx, before, { name, description, mapping, labels }, clock.now());
  const diff = {
    name: [before.name, row.name],
    connector_mapping: [before.connector_mapping_json, row.connector_mapping_json],
    ...(before.labels_json !== row.labels_json && { labels: [before.labels_json, row.labels_json] }),
  };
  await createAudit(clock)(tx, actor, 'job.update', before.id, diff);
  return row;
}

async function problemsOfMapping(
  { dialect }: Store,
  tx: Tx,
  parsed: TemplateInfo,
  mapping: ConnectorMapping,
): Promise<readonly Problem[]> {
  return mappingProblems(parsed, mapping, await lockMapped(tx, dialect, mapping));
}

/** `CONFLICT` if the job is running. */
async function requireIdle(tx: Tx, { id, name }: JobRow): Promise<void> {
  const active = await selectActiveJobRuns(tx, id);
  if (active.length > 0)
    throw new AppError(
      'CONFLICT',
      `The job "${name}" is running: cancel the job run "${active[0]?.id}" first`,
    );
  const replay = await selectActiveReplay(tx, id);
  if (replay !== null)
    throw new AppError('CONFLICT', `The job "${name}" is running: cancel the run "${replay}" first`);
}

class TemplateChanged extends Error {}

/** The current version of every task that the DAG names and there is, with those that its steps run. */
function pinsOf(
  parsed: TemplateInfo,
  tasks: readonly TaskRecord[],
): { readonly pins: readonly Pin[]; readonly problems: readonly Problem[] } {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const found = parsed.tasks.flatMap((node) => {
    const task = byName.get(node.task);
    if (task === undefined) return [];
    const { tasks: children, problems } = childTasksIn(tasks, task, `tasks.${node.key}.task`);
    return [
      { pin: { task_key: node.key, task_id: task.id, task_version: task.version, children }, problems },
    ];
  });
  return { pins: found.map(({ pin }) => pin), problems: found.flatMap(({ problems }) => problems) };
}
