import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, type Problem, requireFound, validationError } from '../../base/errors.ts';
import { textDiff } from '../../base/text/text-diff.ts';
import { type ExpectedVersions, requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { neededProblems } from '../job-templates/node-problems.ts';
import { currentChildTasks } from '../tasks/child-tasks.ts';
import type { RequireScriptRight } from '../tasks/script-right.ts';
import type { ParseTask } from '../tasks/task-service.ts';
import type { ConnectorMapping, JobRow } from './job.ts';
import { insertChildPins, lockJob, selectJob } from './job-store.ts';
import { bumpJobVersion, type PinnedTask, selectPinnedTasks, updateOverride } from './job-task-store.ts';

const TRIES_MAX = 3;
/** The size of a diff in the audit log. */
const AUDIT_DIFF_CHARS_MAX = 20_000;

export interface TaskOverridesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseTask: ParseTask;
  readonly requireScriptRight: RequireScriptRight;
}

/** A node of a job with an override. */
export interface TaskOverride {
  readonly job: JobRow;
  readonly task: PinnedTask & { readonly override: NonNullable<PinnedTask['override']> };
}

interface Own {
  readonly yaml: string;
  readonly info: TaskInfo;
}

export type TaskOverrides = ReturnType<typeof createTaskOverrides>;

/** A job's overrides of its tasks. They apply to runs started afterwards, not to running ones. */
export function createTaskOverrides({ store, clock, parseTask, requireScriptRight }: TaskOverridesDeps) {
  async function nodeOf(jobId: number, key: string): Promise<{ job: JobRow; task: PinnedTask }> {
    const job = requireFound(await selectJob(store.read, jobId), 'job', jobId);
    const [task] = await selectPinnedTasks(store.read, jobId, key);
    if (task === undefined) throw notFound('task of this job', key);
    return { job, task };
  }

  /** `NOT_FOUND` if the job, the node or its override does not exist. */
  async function get(jobId: number, key: string): Promise<TaskOverride> {
    const { job, task } = await nodeOf(jobId, key);
    return { job, task: requireOverride(task) };
  }

  /** `VALIDATION_ERROR` with every problem of the text, or every connector that the job does not bind. */
  async function put(
    jobId: number,
    key: string,
    yaml: string,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<TaskOverride> {
    await nodeOf(jobId, key);
    const parsed = await parseTask(yaml);
    if (!parsed.ok) throw validationError(parsed.problems);
    requireScriptRight(parsed.info, actor);
    const { scripts: _, ...info } = parsed.info;
    return change(jobId, key, { own: { yaml, info }, expected }, actor);
  }

  /** The node runs its pinned version again. */
  async function remove(
    jobId: number,
    key: string,
    expected: ExpectedVersions,
    actor: Actor,
  ): Promise<JobRow> {
    const { job } = await change(jobId, key, { own: null, expected }, actor);
    return job;
  }

  /** The diff is made before the transaction, for exactly the version of the job that it changes. */
  async function change(
    jobId: number,
    key: string,
    { own, expected }: { readonly own: Own | null; readonly expected: ExpectedVersions },
    actor: Actor,
  ): Promise<TaskOverride> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const seen = await nodeOf(jobId, key);
      requireVersion(expected, seen.job.version);
      const before = own === null ? requireOverride(seen.task) : seen.task;
      const text = before.override?.yaml_content ?? before.yaml_content;
      const after = own?.yaml ?? before.yaml_content;
      const diff = textDiff(text, after, {
        from: before.override === null ? `version ${before.task_version}` : 'override',
        to: own === null ? `version ${before.task_version}` : 'override',
        charsMax: AUDIT_DIFF_CHARS_MAX,
      });
      const job = await store.write(async (tx) => {
        const locked = requireFound(await lockJob(tx, store.dialect, jobId), 'job', jobId);
        if (locked.version !== seen.job.version) return null;
        if (own !== null) requireBound(locked, key, own.info);
        if (own !== null && before.override?.yaml_content === own.yaml) return locked;
        const now = clock.now();
        await updateOverride(tx, jobId, key, own);
        await pinChildren(tx, jobId, key, own);
        const bumped = await bumpJobVersion(tx, locked, now);
        const action = own === null ? 'job.override_delete' : 'job.override';
        const change = { task_key: key, version: [locked.version, bumped.version], diff };
        await insertAudit(tx, actor, { action, resourceType: 'job', resourceId: jobId, diff: change }, now);
        return bumped;
      });
      const connectors = own?.info.connectors ?? before.connectors;
      if (job !== null) return { job, task: { ...before, override: { yaml_content: after, connectors } } };
    }
    throw new AppError('CONFLICT', 'The job is being changed right now: try again');
  }

  return { get, put, remove };
}

/** What the steps of an override run, and the node does not pin yet. */
async function pinChildren(tx: Tx, jobId: number, key: string, own: Own | null): Promise<void> {
  if (own === null) return;
  const children = await currentChildTasks(tx, { name: own.info.name, runs: own.info.runs ?? [] });
  await insertChildPins(tx, jobId, [{ task_key: key, children }]);
}

function requireOverride(task: PinnedTask): TaskOverride['task'] {
  const { override } = task;
  if (override !== null) return { ...task, override };
  throw new AppError('NOT_FOUND', `The task "${task.task_key}" of this job has no override`);
}

/** Every connector that the text declares is one of the template's, of its type, and bound by the job. */
function requireBound(job: JobRow, key: string, info: TaskInfo): void {
  const parsed = parsedOf(job);
  const node = parsed.tasks.find((task) => task.key === key);
  if (node === undefined) throw notFound('task of this job', key);
  const mapping = JSON.parse(job.connector_mapping_json) as ConnectorMapping;
  const problems: Problem[] = neededProblems(node, info, parsed);
  for (const local of Object.keys(info.connectors)) {
    const name = Object.hasOwn(node.connectors, local) ? (node.connectors[local] ?? local) : local;
    if (!Object.hasOwn(parsed.connectors, name) || Object.hasOwn(mapping, name)) continue;
    const message = `The task "${info.name}" needs the connector "${local}", and the job binds no "${name}": map it first`;
    problems.push({ path: `connector_mapping.${name}`, message });
  }
  if (problems.length > 0) throw validationError(problems);
}
