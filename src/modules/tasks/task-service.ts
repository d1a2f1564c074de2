import type { TaskInfo } from '../../threads/messages/definition-info.ts';
import {
  createRestore,
  createYamlDefinitions,
  type DefinitionsDeps,
  type Parsed,
  type PreparedYaml,
  type YamlInput,
} from '../definitions/yaml-definitions.ts';
import type { RequireScriptRight } from './script-right.ts';
import type { TaskRecord } from './task.ts';
import {
  deleteTask,
  insertTask,
  lockTask,
  selectPinningJobs,
  selectTask,
  selectTasksByName,
  taskVersions,
  updateTask,
  updateTaskStatus,
} from './task-store.ts';

/** Parses a task's YAML where nothing in it can stop the control plane: in the worker host. `name`: default the one in the text. */
export type ParseTask = (yaml: string, name?: string) => Promise<Parsed<TaskInfo>>;

export interface TasksDeps extends DefinitionsDeps {
  readonly parseTask: ParseTask;
  readonly requireScriptRight: RequireScriptRight;
}

/** A task whose text was parsed, as a transaction stores it. */
export type PreparedTask = TaskInfo & PreparedYaml;

export type Tasks = ReturnType<typeof createTasks>;

/** Task definitions: every change of the YAML is kept as a version. */
export function createTasks({ store, clock, parseTask, requireScriptRight }: TasksDeps) {
  const tasks = createYamlDefinitions<TaskRecord, YamlInput, TaskInfo, PreparedTask>(
    { store, clock },
    {
      noun: 'task',
      parse: (yaml, { name }) => parseTask(yaml, name),
      prepare: preparedTask,
      requireFit: async (_tx, prepared, actor) => requireScriptRight(prepared, actor),
      lock: lockTask,
      insert: insertTask,
      update: updateTask,
      setStatus: updateTaskStatus,
      remove: deleteTask,
      selectNamed: selectTasksByName,
      usedBy: { select: selectPinningJobs, words: 'is pinned by the jobs' },
      auditRemove: ({ name, version }) => ({ name, version }),
    },
  );
  const versions = { noun: 'task', select: selectTask, selectVersion: taskVersions.select };
  return { ...tasks, restore: createRestore(store, { ...versions, update: tasks.update }) };
}

/** A task as it is stored; name and description default to those in the text. */
export function preparedTask(input: YamlInput, info: TaskInfo): PreparedTask {
  const { name, description, labels, connectors, limits, runs, scripts } = info;
  return {
    name: input.name ?? name,
    description: input.description === undefined ? description : input.description,
    labels,
    connectors,
    limits,
    runs,
    scripts,
    yaml: input.yaml_content,
  };
}
