import type { Clock } from '../../base/clock.ts';
import { AppError, notFound, type Problem, requireFound, validationError } from '../../base/errors.ts';
import { requireVersion } from '../../http/etag.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import type { Actor, AuditOrigin } from '../audit/audit.ts';
import { createAudit } from '../audit/audit-service.ts';
import { nameJobs } from '../definitions/name-jobs.ts';
import type { TaskRecord } from './task.ts';
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

/** A task whose text was parsed, as a transaction stores it. */
export interface PreparedTask extends TaskInfo {
  readonly yaml: string;
}

export type Tasks = ReturnType<typeof createTasks>;

/** Task definitions: every change of the YAML is a version that stays. */
export function createTasks({ store, clock, parseTask }: TasksDeps) {
  const audit = createAudit(clock);

  async function prepare(input: TaskInput): Promise<PreparedTask> {
    const parsed = await parseTask(input.yaml_content);
    if (!parsed.ok) throw validationError(parsed.problems);
    return preparedTask(input, parsed.info);
  }

  async function lockedTask(tx: Tx, id: number): Promise<TaskRecord> {
    return requireFound(await lockTask(tx, store.dialect, id), 'task', id);
  }

  async function create(input: TaskInput, actor: Actor): Promise<TaskRecord> {
    const prepared = await prepare(input);
    return store.write((tx) => createInside(tx, prepared, actor));
  }

  /** As `create`, in a transaction of the caller's, who has parsed the text before it. */
  async function createInside(
    tx: Tx,
    prepared: PreparedTask,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<TaskRecord> {
    const task = await insertTask(tx, { ...prepared, by: actor.name, now: clock.now() });
    await audit(tx, actor, 'task.create', task.id, origin);
    return task;
  }

  /** Identical content makes no new version. */
  async function update(
    id: number,
    input: TaskInput,
    expected: number | null,
    actor: Actor,
  ): Promise<TaskRecord> {
    const prepared = await prepare(input);
    return store.write(async (tx) => {
      const before = await lockedTask(tx, id);
      requireVersion(expected, before.version);
      return updateInside(tx, before, prepared, actor);
    });
  }

  /** As `update`, in a transaction of the caller's, who holds `before`. */
  async function updateInside(
    tx: Tx,
    before: TaskRecord,
    prepared: PreparedTask,
    actor: Actor,
    origin?: AuditOrigin,
  ): Promise<TaskRecord> {
    const { id } = before;
    const same = before.yaml_content === prepared.yaml && before.name === prepared.name;
    if (same && before.description === prepared.description) return before;
    const others = await selectTasksByName(tx, [prepared.name]);
    if (others.some((other) => other.id !== id)) throw nameTaken(prepared.name);
    const write = { ...prepared, by: actor.name, now: clock.now() };
    const task = await updateTask(tx, id, before.version + 1, write);
    const diff = { version: [before.version, task.version], name: [before.name, task.name], ...origin };
    await audit(tx, actor, 'task.update', id, diff);
    return task;
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
      await audit(tx, actor, 'task.delete', id, { name: task.name, version: task.version });
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
      await audit(tx, actor, 'task.status', id, { status: [task.status, status] });
      return { ...task, status };
    });
  }

  return { create, createInside, update, updateInside, remove, restore, setStatus };
}

/** What is stored of a task: name and description as they were given, or the text's own. */
export function preparedTask(input: TaskInput, info: TaskInfo): PreparedTask {
  const { name, description, labels, connectors, limits } = info;
  return {
    name: input.name ?? name,
    description: input.description === undefined ? description : input.description,
    labels,
    connectors,
    limits,
    yaml: input.yaml_content,
  };
}
