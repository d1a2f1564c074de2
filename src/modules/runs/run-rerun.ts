import type { Clock } from '../../base/clock.ts';
import { AppError, requireFound, validationError } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Db, Store } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { selectConnectorsById } from '../connectors/connector-store.ts';
import { currentChildTasks } from '../tasks/child-tasks.ts';
import { selectTask } from '../tasks/task-store.ts';
import { typesOf } from './queue/run-kind.ts';
import {
  isActive,
  type NewRun,
  type RunRow,
  splitTypes,
  storedArgs,
  storedRetry,
  storedTasks,
} from './run.ts';
import { insertRun, selectRun } from './run-store.ts';
import { requireConnectors, standaloneRun } from './standalone-run.ts';

export interface RunRerunsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly wakeQueue: () => void;
}

/** `snapshot`: exactly what the old run ran. `current`: the task as it is now, with the old arguments and connectors. */
export type RerunUse = 'snapshot' | 'current';

export type RunReruns = ReturnType<typeof createRunReruns>;

/** Standalone runs again. A task of a job run is run again through its job run. */
export function createRunReruns({ store, clock, wakeQueue }: RunRerunsDeps) {
  async function rerun(id: number, use: RerunUse, actor: Actor): Promise<RunRow> {
    const run = await store.write(async (tx) => {
      const old = requireFound(await selectRun(tx, id), 'run', id);
      requireRepeatable(old);
      const next = use === 'snapshot' ? await sameRun(tx, old) : await currentRun(tx, old);
      const row = await insertRun(tx, { ...next, rerun_of: id }, await selectNow(tx, store.dialect));
      const diff = { task: old.task_name, rerun_of: id, use };
      const entry = { action: 'run.start', resourceType: 'run', resourceId: row.id, diff };
      await insertAudit(tx, actor, entry, clock.now());
      return row;
    });
    wakeQueue();
    return run;
  }

  return { rerun };
}

function requireRepeatable(run: RunRow): void {
  if (isActive(run.status))
    throw new AppError('CONFLICT', `The run "${run.id}" is ${run.status}: wait for its end, or cancel it`);
  if (run.helps_run_id !== null)
    throw new AppError(
      'CONFLICT',
      `The run "${run.id}" took parts of the run "${run.helps_run_id}": rerun that one`,
    );
  if (run.replay_step !== null)
    throw new AppError(
      'CONFLICT',
      `The run "${run.id}" replays dead letters: those that are still open may be replayed again`,
    );
  if (run.job_run_id === null) return;
  throw new AppError(
    'CONFLICT',
    `The run "${run.id}" is the task "${run.task_key}" of the job run "${run.job_run_id}": rerun that, from "${run.task_key}"`,
  );
}

/** Exactly what the old run ran, standalone. */
export async function sameRun(db: Db, old: RunRow): Promise<NewRun> {
  const task = old.task_id === null ? null : await selectTask(db, old.task_id);
  requireNotArchived(task);
  const connectors = JSON.parse(old.connectors_json) as Record<string, number>;
  const known = new Set((await selectConnectorsById(db, Object.values(connectors))).map((row) => row.id));
  const gone = Object.entries(connectors).filter(([, id]) => !known.has(id));
  if (gone.length > 0)
    throw validationError(
      gone.map(([local, id]) => ({
        path: `connectors.${local}`,
        message: `The connector "${id}" no longer exists`,
      })),
    );
  return {
    task_id: old.task_id,
    task_name: old.task_name,
    task_version: old.task_version,
    yaml_content: old.yaml_content,
    tasks: storedTasks(old),
    job_run_id: null,
    job_id: null,
    task_key: null,
    reason: 'manual',
    retry: storedRetry(old),
    args: storedArgs(old),
    config: parseJsonText(old.config_json) as Record<string, unknown>,
    connectors,
    connectorTypes: typesOf(splitTypes(old.connector_types)),
    labels: JSON.parse(old.labels_json) as Record<string, string>,
    timeout_ms: old.timeout_ms,
    rerun_of: old.id,
    scheduled_for: old.scheduled_for,
    priority: old.priority,
    concurrencyKey: old.concurrency_key,
    concurrencyLimit: old.concurrency_limit,
    deadlineMs: old.deadline_at === null ? null : old.deadline_at - old.created_at,
  };
}

/** The task as it is now, with what the old run was given. */
export async function currentRun(db: Db, old: RunRow): Promise<NewRun> {
  const task = old.task_id === null ? null : await selectTask(db, old.task_id);
  if (task === null)
    throw new AppError('CONFLICT', `The task "${old.task_name}" has been deleted: use "snapshot"`);
  requireNotArchived(task);
  const connectors = JSON.parse(old.connectors_json) as Record<string, number>;
  await requireConnectors(db, task, connectors);
  return standaloneRun(task, await currentChildTasks(db, task), {
    connectors,
    args: storedArgs(old).values,
    job_config: parseJsonText(old.config_json) as Record<string, unknown>,
    priority: old.priority,
  });
}

function requireNotArchived(task: { readonly name: string; readonly status: string } | null): void {
  if (task !== null && task.status !== 'active')
    throw new AppError('CONFLICT', `The task "${task.name}" is archived: activate it first`);
}
