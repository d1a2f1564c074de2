import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, requireFound, validationError } from '../../base/errors.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Answer } from '../../threads/messages/calls.ts';
import type { NodeInfo } from '../../threads/messages/definition-info.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import type { JobRow } from './job.ts';
import {
  deleteJobStates,
  type JobStateRow,
  selectActiveRun,
  selectJobStates,
  setJobState,
} from './job-state-store.ts';
import { lockJob, selectJob } from './job-store.ts';
import { type PinnedTask, selectPinnedTasks } from './job-task-store.ts';

/** The steps of a stored task that keep a cursor; null where its text is not valid any more. */
export type CursorSteps = (
  yaml: string,
  tasks: Readonly<Record<string, string>>,
) => Promise<Answer<'cursor_steps'>>;

/** Before the name of what a node with `foreach_expr` keeps for one of its items. */
const OF_ITEM = /^item\[.*\]\//;

export interface JobStatesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly cursorSteps: CursorSteps;
}

export type JobStates = ReturnType<typeof createJobStates>;

/**
 * The cursors of a job: where each incremental extract continues. They can be read at any time, but set or deleted only if no
 * run of the node is active (`CONFLICT`), because that run would move them again. Cursors of a node removed by an upgrade can
 * be read and deleted like others.
 */
export function createJobStates({ store, clock, cursorSteps }: JobStatesDeps) {
  async function list(jobId: number, taskKey: string | null): Promise<readonly JobStateRow[]> {
    const job = requireFound(await selectJob(store.read, jobId), 'job', jobId);
    const states = await selectJobStates(store.read, jobId, taskKey);
    if (taskKey !== null && states.length === 0) requireNode(parsedOf(job).tasks, taskKey);
    return states;
  }

  /** The next run of the node starts its step after `value`. `VALIDATION_ERROR` if the step keeps no cursor. */
  async function set(
    jobId: number,
    taskKey: string,
    { stepId, value }: { readonly stepId: string; readonly value: unknown },
    actor: Actor,
  ): Promise<void> {
    await requireCursor(jobId, taskKey, stepId);
    await change(jobId, taskKey, async (tx, job, now) => {
      requireNode(parsedOf(job).tasks, taskKey);
      await setJobState(tx, { jobId, taskKey, stepId }, value, now);
      await note(tx, actor, jobId, { task_key: taskKey, step_id: stepId, value }, now);
    });
  }

  async function requireCursor(jobId: number, taskKey: string, stepId: string): Promise<void> {
    const job = requireFound(await selectJob(store.read, jobId), 'job', jobId);
    const node = requireNode(parsedOf(job).tasks, taskKey);
    const [task] = await selectPinnedTasks(store.read, jobId, taskKey);
    if (task === undefined) return;
    const { steps } = await cursorSteps(task.override?.yaml_content ?? task.yaml_content, textsOf(task));
    const known = keptBy(node, steps ?? []);
    if (steps === null || known.some(({ matches }) => matches(stepId))) return;
    const named = known.map(({ shown }) => `"${shown}"`).join(', ');
    const those = known.length === 0 ? 'none of its steps does' : `those that do are ${named}`;
    const message = `The task "${taskKey}" has no step "${stepId}" that keeps a cursor: ${those}`;
    throw validationError([{ path: 'step_id', message }]);
  }

  /** The next run starts from the beginning; null `taskKey` or `stepId`: all of them. */
  async function forget(
    jobId: number,
    taskKey: string | null,
    stepId: string | null,
    actor: Actor,
  ): Promise<void> {
    await change(jobId, taskKey, async (tx, job, now) => {
      const forgotten = await deleteJobStates(tx, jobId, taskKey, stepId);
      if (taskKey !== null && forgotten === 0) requireNode(parsedOf(job).tasks, taskKey);
      if (forgotten > 0)
        await note(tx, actor, jobId, { task_key: taskKey, step_id: stepId, value: null }, now);
    });
  }

  async function change(
    jobId: number,
    taskKey: string | null,
    work: (tx: Tx, job: JobRow, now: number) => Promise<void>,
  ): Promise<void> {
    await store.write(async (tx) => {
      const job = requireFound(await lockJob(tx, store.dialect, jobId), 'job', jobId);
      const run = await selectActiveRun(tx, jobId, taskKey);
      if (run !== null) {
        throw new AppError(
          'CONFLICT',
          `The run ${run.id} of the task "${run.task_key}" is active and would move its cursor: wait for it to end, or cancel it`,
        );
      }
      await work(tx, job, clock.now());
    });
  }

  async function note(
    tx: Tx,
    actor: Actor,
    jobId: number,
    diff: Readonly<Record<string, unknown>>,
    now: number,
  ): Promise<void> {
    await insertAudit(tx, actor, { action: 'job.state', resourceType: 'job', resourceId: jobId, diff }, now);
  }

  return { list, set, forget };
}

/** Of the tasks that its steps run, by name. */
function textsOf({ children }: PinnedTask): Readonly<Record<string, string>> {
  return Object.fromEntries(children.map(({ name, yaml_content }) => [name, yaml_content]));
}

/** The names under which a node keeps what these steps do: with `foreach_expr`, one for each item. */
function keptBy({ foreach = null }: NodeInfo, steps: readonly string[]) {
  return steps.map((step) =>
    foreach === null
      ? { shown: step, matches: (id: string) => id === step }
      : { shown: `item[<key>]/${step}`, matches: (id: string) => id.replace(OF_ITEM, '//') === `//${step}` },
  );
}

function requireNode(nodes: readonly NodeInfo[], key: string): NodeInfo {
  const node = nodes.find((one) => one.key === key);
  if (node === undefined) throw notFound('task of this job', key);
  return node;
}
