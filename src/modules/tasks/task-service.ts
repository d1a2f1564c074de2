import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, type Problem, validationError } from '../../base/errors.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { nameJobs } from './name-jobs.ts';
import type { TaskInfo, TaskRecord } from './task.ts';
import {
  deleteTask,
  insertTask,
  lockTask,
  nameTaken,
  selectPinningJobs,
  selectTask,
  selectTasksByName,
  selectTaskVersion,
  updateTask,
  updateTaskStatus,
} from './task-store.ts';

/** Parses a task's YAML where nothing that it holds can stop the control plane: in the worker host. */
export type ParseTask = (
  yaml: string,
) => Promise<
  | { readonly ok: true; readonly info: TaskInfo }
  | { readonly ok: false; readonly problems: readonly Problem[] }
>;

export interface TasksDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly parseTask: ParseTask;
}

export interface TaskInput {
  /** Default: the YAML's own `name`. */
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly yaml_content: string;
}

export type Tasks = ReturnType<typeof createTasks>;

/** Task definitions: every change of the YAML is a version that stays. */
export function createTasks({ store, clock, parseTask }: TasksDeps) {
  async function infoOf(input: TaskInput): Promise<TaskInfo> {
    const parsed = await parseTask(input.yaml_content);
    if (!parsed.ok) throw validationError(parsed.problems);
    const { name, description, labels, connectors, limits } = parsed.info;
    return {
      name: input.name ?? name,
      description: input.description === undefined ? description : input.description,
      labels,
      connectors,
      limits,
    };
  }

  async function lockedTask(tx: Tx, id: number): Promise<TaskRecord> {
    const task = await lockTask(tx, store.dialect, id);
    if (task === null) throw notFound('task', id);
    return task;
  }

  async function create(input: TaskInput, actor: Actor): Promise<TaskRecord> {
    const info = await infoOf(input);
    return store.write(async (tx) => {
      const now = clock.now();
      const task = await insertTask(tx, { ...info, yaml: input.yaml_content, by: actor.name, now });
      await insertAudit(tx, actor, { action: 'task.create', resourceType: 'task', resourceId: task.id }, now);
      return task;
    });
  }

  /** Identical content makes no new version. */
  async function update(
    id: number,
    input: TaskInput,
    expected: number | null,
    actor: Actor,
  ): Promise<TaskRecord> {
    const info = await infoOf(input);
    return store.write(async (tx) => {
      const before = await lockedTask(tx, id);
      requireVersion(expected, before.version);
      const same = before.yaml_content === input.yaml_content && before.name === info.name;
      if (same && before.description === info.description) return before;
      const others = await selectTasksByName(tx, [info.name]);
      if (others.some((other) => other.id !== id)) throw nameTaken(info.name);
      const now = clock.now();
      const task = await updateTask(tx, id, before.version + 1, {
        ...info,
        yaml: input.yaml_content,
        by: actor.name,
        now,
      });
      const diff = { version: [before.version, task.version], name: [before.name, task.name] };
      await insertAudit(
        tx,
        actor,
        { action: 'task.update', resourceType: 'task', resourceId: id, diff },
        now,
      );
      return task;
    });
  }

  async function remove(id: number, expected: number | null, actor: Actor): Promise<void> {
    await store.write(async (tx) => {
      const task = await lockedTask(tx, id);
      requireVersion(expected, task.version);
      const jobs = await selectPinningJobs(tx, id);
      if (jobs.length > 0) {
        throw new AppError(
          'CONFLICT',
          `The task "${task.name}" is pinned by the jobs ${nameJobs(jobs)}: archive it instead`,
        );
      }
      await deleteTask(tx, id);
      const diff = { name: task.name, version: task.version };
      await insertAudit(
        tx,
        actor,
        { action: 'task.delete', resourceType: 'task', resourceId: id, diff },
        clock.now(),
      );
    });
  }

  /** Makes an old version's text the newest version. Templates refer to a task by its name: name and description stay. */
  async function restore(
    id: number,
    version: number,
    expected: number | null,
    actor: Actor,
  ): Promise<TaskRecord> {
    const [task, old] = await Promise.all([
      selectTask(store.read, id),
      selectTaskVersion(store.read, id, version),
    ]);
    if (task === null) throw notFound('task', id);
    if (old === null) throw new AppError('NOT_FOUND', `The task "${task.name}" has no version "${version}"`);
    const { name, description } = task;
    return update(id, { name, description, yaml_content: old.yaml_content }, expected, actor);
  }

  async function setStatus(id: number, status: 'active' | 'archived', actor: Actor): Promise<TaskRecord> {
    return store.write(async (tx) => {
      const task = await lockedTask(tx, id);
      if (task.status === status) return task;
      await updateTaskStatus(tx, id, status);
      const diff = { status: [task.status, status] };
      await insertAudit(
        tx,
        actor,
        { action: 'task.status', resourceType: 'task', resourceId: id, diff },
        clock.now(),
      );
      return { ...task, status };
    });
  }

  return { create, update, remove, restore, setStatus };
}
